package io.delayjob.autoconfigure;

import io.delayjob.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.lease.JdbcLeases;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.time.EngineClock;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/**
 * Chooses the source of leases. A lock provider that is created here is not a bean, so that the application does not
 * use it for its own locks.
 */
final class LeaseProviderFactory {

    private static final String IN_DATABASE = "jdbc";
    private static final String THE_ONLY_BEAN = "bean";

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
        return choice.equals(IN_DATABASE) ? inDatabase() : new ShedLockLeaseProvider(bean(choice), clock);
    }

    private LeaseProvider inDatabase() {
        return JdbcLeases.inDatabase(
                database.dataSource(),
                database.transactionManager(),
                database.dialect(),
                new SqlTemplate(SqlTemplate.DEFAULT_PREFIX, null),
                incarnation,
                clock);
    }

    private LockProvider bean(String choice) {
        try {
            return choice.equals(THE_ONLY_BEAN)
                    ? beans.getBean(LockProvider.class)
                    : beans.getBean(choice, LockProvider.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException missing) {
            // The exception has no cause. Otherwise Spring Boot would explain the missing bean, not the setting that
            // names it.
            throw new InvalidSettingException(
                    "delayjob.lease.provider",
                    "Invalid delayjob.lease.provider '%s': must be 'jdbc', 'bean' for the only bean of type %s, or the name of such a bean."
                            .formatted(choice, LockProvider.class.getName()));
        }
    }
}
