package io.delayjob.autoconfigure;

import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager of a DataSource. */
final class ManagersOfDataSource {

    private static final boolean JPA = ClassUtils.isPresent(
            "org.springframework.orm.jpa.JpaTransactionManager", ManagersOfDataSource.class.getClassLoader());

    private ManagersOfDataSource() {}

    /** {@code null} unless exactly one of the managers belongs to this DataSource. */
    static @Nullable PlatformTransactionManager only(
            Stream<PlatformTransactionManager> managers, DataSource dataSource) {
        List<PlatformTransactionManager> ofDataSource =
                managers.filter(manager -> isOf(manager, dataSource)).toList();
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
            return manager instanceof JpaTransactionManager jpa && jpa.getDataSource() == dataSource;
        }
    }
}
