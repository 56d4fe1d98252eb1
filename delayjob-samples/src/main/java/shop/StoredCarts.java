package shop;

import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Stores carts that customers have not ordered, each as a row. */
@Repository
class StoredCarts implements Carts {

    private static final Logger log = LoggerFactory.getLogger(StoredCarts.class);

    private final JdbcClient jdbc;
    private final Clock clock;

    StoredCarts(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    @Override
    public int purgeOlderThanDays(int days) {
        int purged = jdbc.sql("DELETE FROM carts WHERE changed_at < :before")
                .param("before", clock.instant().minus(Duration.ofDays(days)), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
        log.info("The shop has deleted {} carts that are older than {} days.", purged, days);
        return purged;
    }
}
