package io.delayjob.autoconfigure;

import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Registers the databases of named stores as beans: {@code @Transactional("eu")}, {@code @Qualifier("eu") DataSource}.
 * Injection points without a qualifier still get the application's own beans.
 */
final class StoreDatabasesRegistrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {

    static final String DATABASES = "delayJobStoreDatabases";

    static final String PREFIX = "delayJobStore.";

    private @Nullable Environment environment;

    static String dataSourceName(String store) {
        return PREFIX + store + ".dataSource";
    }

    static String transactionManagerName(String store) {
        return PREFIX + store + ".transactionManager";
    }

    static String connectionFactoryName(String store) {
        return PREFIX + store + ".connectionFactory";
    }

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        List<NamedStore> stores = NamedStore.all(Objects.requireNonNull(environment));
        for (NamedStore store : stores) {
            String name = store.name();
            if (store.hasOwnDataSource()) {
                registry.registerBeanDefinition(
                        dataSourceName(name), definition(DataSource.class, "newDataSource", name));
            }
            if (store.isRedis() && store.place().url() != null) {
                registry.registerBeanDefinition(
                        connectionFactoryName(name),
                        definition(LettuceConnectionFactory.class, "newConnectionFactory", name));
            }
            if (store.isJdbc() && store.place().transactionManager() == null) {
                registry.registerBeanDefinition(
                        transactionManagerName(name),
                        definition(PlatformTransactionManager.class, "transactionManager", name));
            }
        }
    }

    private static RootBeanDefinition definition(Class<?> type, String method, String store) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(type);
        definition.setFactoryBeanName(DATABASES);
        definition.setFactoryMethodName(method);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, store);
        definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, store));
        definition.setDefaultCandidate(false);
        return definition;
    }
}
