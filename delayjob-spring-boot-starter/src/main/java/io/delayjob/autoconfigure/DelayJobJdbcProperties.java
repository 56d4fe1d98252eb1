package io.delayjob.autoconfigure;

import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import io.delayjob.jdbc.JdbcJobStore;
import io.delayjob.jdbc.JobSchema;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.spring.InTransaction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * The job tables.
 *
 * @param initializeSchema When to create the job tables.
 * @param schema Path of the script that creates the job tables; "delayjob_" in it is replaced by the table prefix.
 * @param platform Platform for the @@platform@@ placeholder in the script's path. Detected by default.
 * @param dialect SQL dialect: "postgresql", "mariadb", "mysql" or "h2". Detected by default. Set this property for a
 *     compatible database that delayjob does not recognise.
 * @param tablePrefix Prefix of the job tables' names, up to 31 letters, digits and underscores.
 * @param requireTransaction Whether calls that schedule jobs are refused if there is no transaction that they can join.
 * @param inOtherTransaction What happens to calls within a transaction on another data source. Default: "now" if the
 *     application has one store, and "refuse" if it has several stores.
 */
@ConfigurationProperties("delayjob.jdbc")
public record DelayJobJdbcProperties(
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue(JobSchema.LOCATION) String schema,
        @Nullable String platform,
        @Nullable String dialect,
        @DefaultValue("delayjob_") String tablePrefix,
        @DefaultValue("false") boolean requireTransaction,
        @Nullable InTransaction inOtherTransaction) {

    SqlTemplate tables() {
        return InvalidSettingException.checked("delayjob.jdbc.table-prefix", () -> new SqlTemplate(tablePrefix, null));
    }

    /** @param manager name of the store's transaction manager, in words that a caller understands */
    CallsInTransactions callsInOtherTransactions(JdbcJobStore store, boolean stores, String manager) {
        InTransaction otherwise = stores ? InTransaction.REFUSE : InTransaction.NOW;
        return CallsInTransactions.onOtherDataSources(
                inOtherTransaction == null ? otherwise : inOtherTransaction,
                store::isBesideCallersTransaction,
                "Make the call within a transaction of the store's own data source, such as %s, or outside of any transaction. Or set delayjob.jdbc.in-other-transaction=after-commit, so that the call waits for the commit."
                        .formatted(manager));
    }
}
