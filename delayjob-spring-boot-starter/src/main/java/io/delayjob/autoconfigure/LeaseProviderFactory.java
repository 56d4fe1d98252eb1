package io.delayjob.autoconfigure;

import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.time.EngineClock;
import org.springframework.beans.factory.BeanFactory;

/**
 * Chooses the source of leases: the database of the jobs, or a lock provider bean of the application. The lock provider
 * for the database is not a bean. Otherwise, the application might use it for its own locks.
 */
final class LeaseProviderFactory {

    private static final String IN_DATABASE = "jdbc";

    private final JobDatabase database;
    private final String incarnation;
    private final EngineClock clock;
    private final BeanFactory beans;

    LeaseProviderFactory(JobDatabase database, String incarnation, EngineClock clock, BeanFactory beans) {
        this.database = database;
        this.incarnation = incarnation;
        this.clock = clock;
        this.beans = beans;
    }

    LeaseProvider provider(String choice) {
        return choice.equals(IN_DATABASE)
                ? inDatabase()
                : new ShedLockLeaseProvider(LockProviderBean.find(beans, choice, IN_DATABASE), clock);
    }

    private LeaseProvider inDatabase() {
        return JdbcLeases.inDatabase(
                database.dataSource(),
                database.transactionManager(),
                database.dialect().platform(),
                incarnation,
                clock);
    }
}
