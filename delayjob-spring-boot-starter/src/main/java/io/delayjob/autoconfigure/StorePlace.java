package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.spring.DelayJobTransactions;
import io.delayjob.spring.SharedSurroundings;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.core.io.ResourceLoader;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A named store, and the parts of its engine that depend on the kind of store.
 *
 * @param calls decides what happens to calls within transactions; {@code null} if such calls always take effect
 *     immediately
 */
record StorePlace(
        JobStore store,
        BiFunction<EngineSettings, EngineClock, LeaseProvider> leasing,
        DelayJobTransactions transactions,
        @Nullable CallsInTransactions calls) {

    LeaseProvider leases(EngineSettings settings, EngineClock clock) {
        return leasing.apply(settings, clock);
    }

    static Supplier<StorePlace> inDatabase(
            NamedStore named,
            StoreDatabases databases,
            ListableBeanFactory beans,
            DelayJobProperties general,
            EngineSettings settings) {
        DelayJobJdbcProperties properties = named.properties("jdbc", DelayJobJdbcProperties.class);
        DataSource dataSource = databases.dataSource(named);
        String stated = named.place().transactionManager();
        String manager = stated == null ? StoreDatabasesRegistrar.transactionManagerName(named.name()) : stated;
        JobDatabase database =
                new JobDatabase(dataSource, beans.getBean(manager, PlatformTransactionManager.class), properties);
        JobPool pool = new JobPool(dataSource, beans.getBeanProvider(DataSourcePoolMetadataProvider.class));
        String provider = general.lease().provider();
        return () -> {
            DelayJobSchemaInitializer tables = new DelayJobSchemaInitializer(dataSource, properties);
            if (beans instanceof ResourceLoader loader) {
                tables.setResourceLoader(loader);
            }
            tables.initializeDatabase();
            JdbcJobStore store = database.store(general, settings, pool);
            new JobTablesCheck(store).afterSingletonsInstantiated();
            new JobDatabaseWarnings(dataSource, pool).afterSingletonsInstantiated();
            return new StorePlace(
                    store,
                    (itsSettings, clock) -> new LeaseProviderFactory(database, itsSettings.incarnation(), clock, beans)
                            .provider(provider),
                    new DelayJobTransactions(new TransactionTemplate(database.transactionManager())),
                    properties.callsInOtherTransactions(
                            store, true, "@Transactional(\"%s\")".formatted(stated == null ? named.name() : stated)));
        };
    }

    static Supplier<StorePlace> inMemory(DelayJobProperties general, @Nullable SharedSurroundings shared) {
        LongSupplier micros = shared == null
                ? StoreClock::wallMicros
                : () -> ChronoUnit.MICROS.between(Instant.EPOCH, shared.clock().storeTime());
        return () -> new StorePlace(
                new MemoryJobStore(micros, general.payload().maxReadBytes()),
                (settings, clock) -> new LocalLeases(),
                DelayJobTransactions.NONE,
                null);
    }
}
