package io.delayjob.autoconfigure;

import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.orm.jpa.DefaultJpaDialect;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager of a DataSource. */
final class ManagersOfDataSource {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", ManagersOfDataSource.class.getClassLoader());

    private ManagersOfDataSource() {}

    /**
     * {@code null} unless exactly one of the application's managers belongs to this DataSource. A manager with a
     * qualifier may be no default candidate for injection, so the search is by name.
     */
    static @Nullable PlatformTransactionManager only(ListableBeanFactory beans, DataSource dataSource) {
        List<PlatformTransactionManager> ofDataSource = Arrays.stream(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, PlatformTransactionManager.class))
                .filter(name -> !name.startsWith(StoreDatabasesRegistrar.PREFIX))
                .map(name -> beans.getBean(name, PlatformTransactionManager.class))
                .filter(manager -> isOf(manager, dataSource))
                .toList();
        return ofDataSource.size() == 1 ? ofDataSource.get(0) : null;
    }

    private static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
        return JPA && Jpa.isOf(manager, dataSource)
                || manager instanceof ResourceTransactionManager resource
                        && resource.getResourceFactory() == dataSource;
    }

    /** A class of its own, because the application need not have JPA. */
    private static final class Jpa {

        static boolean isOf(PlatformTransactionManager manager, DataSource dataSource) {
            return manager instanceof JpaTransactionManager jpa
                    && jpa.getDataSource() == dataSource
                    && knowsItsConnection(jpa);
        }

        /** The default dialect does not. Its subclasses do. */
        private static boolean knowsItsConnection(JpaTransactionManager manager) {
            return manager.getJpaDialect().getClass() != DefaultJpaDialect.class;
        }
    }
}
