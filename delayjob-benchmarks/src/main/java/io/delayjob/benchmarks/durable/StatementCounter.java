package io.delayjob.benchmarks.durable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A DataSource that counts the statements executed; a batch counts as one, a commit as none. Thread-safe. */
final class StatementCounter extends DelegatingDataSource {

    private final AtomicLong executed = new AtomicLong();

    StatementCounter(DataSource target) {
        super(target);
    }

    long executed() {
        return executed.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return counted(Connection.class, super.getConnection());
    }

    private <T> T counted(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (target instanceof Statement && method.getName().startsWith("execute")) {
                        executed.incrementAndGet();
                    }
                    Object result;
                    try {
                        result = method.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                    if (result instanceof PreparedStatement statement) {
                        return counted(PreparedStatement.class, statement);
                    }
                    return result instanceof Statement statement ? counted(Statement.class, statement) : result;
                }));
    }
}
