package io.delayjob.jdbc.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.time.LocalDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** Somebody sets the clock of the database that holds the leases. */
abstract class LeaseClockContract {

    private static final String NAME = "delayjob-0123abcd-default-p0";
    private static final Duration LEASE = Duration.ofMillis(500);

    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private LeaseProvider mine;
    private LeaseProvider yours;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void makeDatabase() throws MetaDataAccessException {
        pool = newStore();
        jdbc = new JdbcTemplate(pool);
        mine = leases("instance-1");
        yours = leases("instance-2");
    }

    @AfterEach
    final void closeDatabase() {
        if (pool != null) {
            pool.close();
        }
    }

    private LeaseProvider leases(String incarnation) throws MetaDataAccessException {
        return JdbcLeases.inDatabase(
                pool,
                new JdbcTransactionManager(pool),
                JdbcUtils.extractDatabaseMetaData(pool, Dialect::of).platform(),
                incarnation,
                StoreClock.ofThisMachine());
    }

    /** For what is in the table, this is as if the server's clock had been set back by an hour. */
    private void setClockBack() {
        jdbc.update(
                "UPDATE shedlock SET lock_until = ? WHERE name = ?", end(NAME).plusHours(1), NAME);
    }

    private LocalDateTime end(String name) {
        return jdbc.queryForObject("SELECT lock_until FROM shedlock WHERE name = ?", LocalDateTime.class, name);
    }

    @Test
    void clockSetBack_leaseOfAHolderThatIsGoneEndsAfterALeaseAllTheSame() {
        mine.acquire(NAME, LEASE).orElseThrow();
        setClockBack();

        assertThat(yours.acquire(NAME, LEASE)).as("within the lease").isEmpty();

        long asked = System.nanoTime();
        while (yours.acquire(NAME, LEASE).isEmpty()) {
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .as("time without a lease")
                    .isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void clockSetBack_leaseOfALiveHolderStaysItsOwn() {
        Lease lease = mine.acquire(NAME, Duration.ofMinutes(1)).orElseThrow();
        setClockBack();

        assertThat(yours.acquire(NAME, Duration.ofMinutes(1))).isEmpty();

        assertThat(lease.extend(Duration.ofMinutes(1))).isPresent();
        assertThat(yours.acquire(NAME, Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void clockSetBack_leaseIsPutRightOnceAnotherInstanceIsRefused() {
        mine.acquire(NAME, Duration.ofMinutes(1)).orElseThrow();
        setClockBack();

        assertThat(yours.acquire(NAME, Duration.ofMinutes(1))).isEmpty();

        LocalDateTime taken =
                jdbc.queryForObject("SELECT locked_at FROM shedlock WHERE name = ?", LocalDateTime.class, NAME);
        assertThat(end(NAME)).isBetween(taken.plusSeconds(60), taken.plusSeconds(90));
    }

    @Test
    void leaseThatEndsInTime_isLeftAsItIs() {
        mine.acquire(NAME, Duration.ofMinutes(1)).orElseThrow();
        LocalDateTime end = end(NAME);

        assertThat(yours.acquire(NAME, Duration.ofMinutes(1))).isEmpty();

        assertThat(end(NAME)).isEqualTo(end);
    }

    @Test
    void locksOfTheApplication_areLeftAsTheyAre() {
        mine.acquire(NAME, LEASE).orElseThrow();
        setClockBack();
        mine.acquire("nightly-report", Duration.ofDays(1)).orElseThrow();

        assertThat(yours.acquire(NAME, LEASE)).isEmpty();

        assertThat(end("nightly-report")).isAfter(end(NAME).plusHours(23));
    }
}
