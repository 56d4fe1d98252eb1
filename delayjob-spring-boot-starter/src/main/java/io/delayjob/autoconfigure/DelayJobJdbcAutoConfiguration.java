package io.delayjob.autoconfigure;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.DelayJobTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keeps jobs in the application's database. Leases are in the same database unless {@code delayjob.lease.provider}
 * names another provider.
 *
 * <p>If the application has a {@link JobStore} bean that is no {@code JdbcJobStore}, that bean replaces all beans of this
 * configuration. In this case, no {@link DataSource} is needed, and no table is created. If a jar contains another store, the jar must also contain an
 * auto-configuration. That auto-configuration must run {@linkplain AutoConfiguration#before() before} {@code
 * DelayJobJdbcAutoConfiguration}. It must declare the store and its {@link LeaseProvider} as beans.
 */
@AutoConfiguration(
        after = DataSourceAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "delayjob.store", havingValue = "jdbc", matchIfMissing = true)
@ConditionalOnClass(JdbcJobStore.class)
@ConditionalOnBean(DataSource.class)
@ConditionalOnMissingBean(value = JobStore.class, ignored = JdbcJobStore.class)
@EnableConfigurationProperties({DelayJobProperties.class, DelayJobJdbcProperties.class})
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(DelayJobJdbcAutoConfiguration.Scripts.class)
public final class DelayJobJdbcAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @Conditional(OnDelayJobInitializationCondition.class)
    DelayJobSchemaInitializer delayJobSchemaInitializer(
            ObjectProvider<DataSource> dataSource,
            @DelayJobDataSource ObjectProvider<DataSource> delayJobDataSource,
            DelayJobJdbcProperties properties) {
        return new DelayJobSchemaInitializer(delayJobDataSource.getIfAvailable(dataSource::getObject), properties);
    }

    @Bean
    JobDatabase delayJobDatabase(
            ObjectProvider<DataSource> dataSource,
            @DelayJobDataSource ObjectProvider<DataSource> delayJobDataSource,
            ObjectProvider<PlatformTransactionManager> transactionManager,
            @DelayJobTransactionManager ObjectProvider<PlatformTransactionManager> delayJobTransactionManager,
            ListableBeanFactory beans,
            DelayJobJdbcProperties properties) {
        return JobDatabase.choose(
                dataSource, delayJobDataSource, transactionManager, delayJobTransactionManager, beans, properties);
    }

    @Bean
    DelayJobTransactions delayJobTransactions(JobDatabase database) {
        return new DelayJobTransactions(new TransactionTemplate(database.transactionManager()));
    }

    @Bean
    @ConditionalOnMissingBean(JobStore.class)
    JdbcJobStore delayJobStore(
            JobDatabase database,
            DelayJobProperties general,
            EngineSettings settings,
            ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return database.store(general, settings, new JobPool(database.dataSource(), pools));
    }

    @Bean
    @ConditionalOnBean(JdbcJobStore.class)
    @ConditionalOnMissingBean
    CallsInTransactions delayJobCallsInTransactions(
            JdbcJobStore store, DelayJobJdbcProperties properties, Environment environment) {
        return properties.callsInOtherTransactions(
                store, DelayJobStores.areSeveral(environment), "@Transactional without a name");
    }

    @Bean
    @ConditionalOnBean(JdbcJobStore.class)
    JobTablesCheck delayJobTablesCheck(JdbcJobStore store) {
        return new JobTablesCheck(store);
    }

    @Bean
    @ConditionalOnBean(JdbcJobStore.class)
    JobDatabaseWarnings delayJobDatabaseWarnings(
            JobDatabase database, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return new JobDatabaseWarnings(database.dataSource(), new JobPool(database.dataSource(), pools));
    }

    @Bean
    @ConditionalOnBean(JdbcJobStore.class)
    @ConditionalOnRealTime
    AtomicHandlersWarning delayJobAtomicHandlersWarning(
            ApplicationContext context,
            JobDatabase database,
            ObjectProvider<DataSourcePoolMetadataProvider> pools,
            HandlerRegistry handlers,
            EngineSettings settings) {
        return new AtomicHandlersWarning(context, handlers, settings, new JobPool(database.dataSource(), pools));
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseProvider delayJobLeases(
            DelayJobProperties properties,
            JobDatabase database,
            EngineSettings settings,
            EngineClock clock,
            BeanFactory beans) {
        return new LeaseProviderFactory(database, settings.incarnation(), clock, beans)
                .provider(properties.lease().provider());
    }

    static final class Scripts implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources().registerPattern("io/delayjob/jdbc/schema-*.sql");
        }
    }

    static final class OnDelayJobInitializationCondition extends OnDatabaseInitializationCondition {

        private static final String MODE = "delayjob.jdbc.initialize-schema";

        OnDelayJobInitializationCondition() {
            super("delayjob", MODE);
        }

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            InvalidSettingException.checkChoice(context.getEnvironment(), MODE, DatabaseInitializationMode.values());
            return super.getMatchOutcome(context, metadata);
        }
    }
}
