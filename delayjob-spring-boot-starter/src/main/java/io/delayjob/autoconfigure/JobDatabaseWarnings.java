package io.delayjob.autoconfigure;

import java.sql.DatabaseMetaData;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** Warns at start about risky settings of the database, and refuses a connection pool that is too small to work. */
final class JobDatabaseWarnings implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(JobDatabaseWarnings.class);

    private final DataSource dataSource;
    private final JobPool pool;

    JobDatabaseWarnings(DataSource dataSource, JobPool pool) {
        this.dataSource = dataSource;
        this.pool = pool;
    }

    @Override
    public void afterSingletonsInstantiated() {
        int connections = pool.mostConnections().orElse(Integer.MAX_VALUE);
        if (connections < JobPool.KEPT_FREE) {
            throw JobDatabaseException.poolTooSmall(
                    connections,
                    JobPool.KEPT_FREE,
                    "the heartbeat keeps one connection, and all other work would wait for that connection");
        }
        if (connections < JobPool.OWN_CONNECTIONS) {
            log.warn(
                    "The connection pool has at most {} connections, and delayjob's heartbeat always "
                            + "occupies one of them. Give the pool at least {} connections.",
                    connections,
                    JobPool.OWN_CONNECTIONS);
        }
        if (losesCommits()) {
            log.warn("H2 writes a commit to its file up to half a second late, so jobs may be lost if the process "
                    + "is killed. To prevent such losses, add ;WRITE_DELAY=0 to the URL of the database.");
        }
    }

    private boolean losesCommits() {
        try {
            String url = JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getURL);
            if (!url.startsWith("jdbc:h2:") || url.startsWith("jdbc:h2:mem:")) {
                return false;
            }
            return !"0"
                    .equals(new JdbcTemplate(dataSource)
                            .queryForObject(
                                    "SELECT setting_value FROM information_schema.settings WHERE setting_name = 'WRITE_DELAY'",
                                    String.class));
        } catch (MetaDataAccessException | DataAccessException unknown) {
            log.debug(
                    "delayjob could not read the setting WRITE_DELAY of H2, so it does not know whether H2 writes "
                            + "each commit to its file at once.",
                    unknown);
            return false;
        }
    }
}
