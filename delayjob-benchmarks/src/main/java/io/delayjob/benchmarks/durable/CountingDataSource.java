package io.delayjob.benchmarks.durable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts what is sent to the database: statements, each once whatever its batch holds, and commits. Thread-safe. */
final class CountingDataSource extends DelegatingDataSource {

    /** Counts at one moment. */
    record Counts(long statements, long commits) {
        Counts since(Counts before) {
            return new Counts(statements - before.statements, commits - before.commits);
        }
    }

    private final LongAdder statements = new LongAdder();
    private final LongAdder commits = new LongAdder();

    CountingDataSource(DataSource target) {
        super(target);
    }

    Counts counts() {
        return new Counts(statements.sum(), commits.sum());
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                commits.increment();
            }
            Object answer = invoke(connection, method, arguments);
            if (answer instanceof PreparedStatement statement) {
                return counting(PreparedStatement.class, statement);
            }
            return answer instanceof Statement statement ? counting(Statement.class, statement) : answer;
        });
    }

    private <S extends Statement> S counting(Class<S> type, S statement) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                statements.increment();
            }
            return invoke(statement, method, arguments);
        });
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object answer(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                CountingDataSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    // Pools and Spring compare connections with themselves.
                    return switch (method.getName()) {
                        case "equals" -> proxy == arguments[0];
                        case "hashCode" -> System.identityHashCode(proxy);
                        default -> call.answer(method, arguments);
                    };
                }));
    }

    private static @Nullable Object invoke(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
