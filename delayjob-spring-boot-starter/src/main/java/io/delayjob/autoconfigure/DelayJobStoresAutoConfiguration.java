package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.DelayJobStoresConfiguration;
import io.delayjob.spring.DelayJobTransactions;
import io.delayjob.spring.SharedSurroundings;
import io.delayjob.spring.StoreSelector;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Configures further stores, each with its engine, if {@code delayjob.stores} names at least one. */
@AutoConfiguration(before = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@Conditional(DelayJobStoresAutoConfiguration.OnSeveralStores.class)
@EnableConfigurationProperties(StoreProperties.class)
@Import({StoreDatabasesRegistrar.class, DelayJobStoresConfiguration.class})
public final class DelayJobStoresAutoConfiguration {

    @Bean(StoreDatabasesRegistrar.DATABASES)
    StoreDatabases delayJobStoreDatabases(Environment environment, ListableBeanFactory beans) {
        return new StoreDatabases(environment, beans);
    }

    @Bean
    DelayJobStores delayJobStores(
            ListableBeanFactory beans,
            StoreDatabases databases,
            ObjectProvider<DelayJobEngine> engine,
            ObjectProvider<StoreSelector> selector) {
        List<DelayJobStore> stores = new ArrayList<>();
        stores.add(defaultStore(beans, engine));
        stores.addAll(new NamedStores(beans, databases).build(databases.stores()));
        return new DelayJobStores(stores, selector.getIfAvailable());
    }

    @Bean
    StoreChecks delayJobStoreChecks(
            ApplicationContext context,
            DelayJobStores stores,
            StoreDatabases databases,
            EngineRandom random,
            ObjectProvider<SharedSurroundings> shared) {
        return new StoreChecks(context, stores, databases, random, shared.getIfAvailable() == null);
    }

    private static DelayJobStore defaultStore(ListableBeanFactory beans, ObjectProvider<DelayJobEngine> engine) {
        DelayJobEngine present = engine.getIfAvailable();
        if (present == null) {
            throw new InvalidSettingException(
                    DelayJobStores.PROPERTY,
                    "Invalid delayjob.stores: the application has no default store, which calls without a store name need. Give the application a DataSource of its own, such as spring.datasource.url, or set delayjob.store=redis or memory; delayjob.stores declares only further stores.");
        }
        return new DelayJobStore(
                DelayJobStores.DEFAULT,
                present,
                beans.getBean(JobStore.class),
                beans.getBean(EngineSettings.class),
                beans.getBean(EngineClock.class),
                beans.getBean(HandlerRegistry.class),
                new DelayJobStore.Surroundings(
                        beans.getBean(JobListeners.class),
                        beans.getBeanProvider(DelayJobTransactions.class)
                                .getIfAvailable(() -> DelayJobTransactions.NONE)));
    }

    static final class OnSeveralStores extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("Several stores");
            return DelayJobStores.areSeveral(context.getEnvironment())
                    ? ConditionOutcome.match(message.found("names").items(DelayJobStores.PROPERTY))
                    : ConditionOutcome.noMatch(message.didNotFind("names").items(DelayJobStores.PROPERTY));
        }
    }
}
