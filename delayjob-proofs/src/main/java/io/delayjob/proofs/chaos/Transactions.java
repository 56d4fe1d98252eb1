package io.delayjob.proofs.chaos;

import io.delayjob.job.JobId;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs work in transactions of the application. The store joins these transactions. Thread-safe. */
final class Transactions {

    static final String WITNESS = "CREATE TABLE witness (number BIGINT PRIMARY KEY)";

    private final TransactionTemplate template;
    private final JdbcTemplate jdbc;

    Transactions(PlatformTransactionManager manager, DataSource dataSource) {
        this.template = new TransactionTemplate(manager);
        this.jdbc = new JdbcTemplate(dataSource);
    }

    void run(Consumer<TransactionStatus> work) {
        template.executeWithoutResult(work);
    }

    <R> R get(Function<TransactionStatus, R> work) {
        return Objects.requireNonNull(template.execute(work::apply));
    }

    /** Calls of the returned object belong to the transaction of the calling thread. */
    JdbcTemplate jdbc() {
        return jdbc;
    }

    /** Inserts a row with this number. The row exists only if the transaction was committed. */
    void witness(long number) {
        jdbc.update("INSERT INTO witness (number) VALUES (?)", number);
    }

    void effect(JobId job, int attempt) {
        jdbc.update("INSERT INTO effect VALUES (?, ?)", job.value(), attempt);
    }
}
