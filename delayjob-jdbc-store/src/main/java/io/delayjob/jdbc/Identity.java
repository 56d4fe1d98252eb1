package io.delayjob.jdbc;

import io.delayjob.store.StoreException;
import java.util.Optional;

/** Reads the identity of the tables. The first instance writes this identity. Thread-safe. */
final class Identity {

    private final Transactions transactions;
    private final Database database;
    private final Sql read;
    private final Sql insert;

    Identity(Transactions transactions, Database database) {
        this.transactions = transactions;
        this.database = database;
        this.read = database.sql(database.dialect().register().identity());
        this.insert = database.sql(database.dialect().register().insertIdentity());
    }

    String orElse(String proposed) {
        return read().or(() -> {
                    enter(proposed);
                    return read();
                })
                .orElseThrow(
                        () -> new IllegalStateException(
                                "The identity of the job tables was deleted just after it was written: check who changes the identity table."));
    }

    private Optional<String> read() {
        return transactions
                .outside(
                        "reading the identity of its tables",
                        () -> database.query(read, Parameters.none(), row -> row.getString(1)))
                .stream()
                .findFirst();
    }

    private void enter(String proposed) {
        try {
            transactions.own(
                    "writing the identity of its tables",
                    () -> database.update(insert, Parameters.none().set("identity", proposed)));
        } catch (StoreException refused) {
            boolean enteredByAnother = read().isPresent();
            if (!enteredByAnother) {
                throw refused;
            }
        }
    }
}
