package io.delayjob.benchmarks.durable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts statements and commits. Each batch and each {@code COPY} is one statement. Thread-safe. */
final class CountingDataSource extends DelegatingDataSource {

    record Counts(Map<String, Long> bySql, long commits) {

        Counts since(Counts before) {
            Map<String, Long> since = new HashMap<>(bySql);
            before.bySql.forEach((sql, count) -> since.merge(sql, -count, Long::sum));
            return new Counts(since, commits - before.commits);
        }

        long statements() {
            return bySql.values().stream().mapToLong(count -> count).sum();
        }

        long statementsOn(Pattern tables) {
            return bySql.entrySet().stream()
                    .filter(entry -> tables.matcher(entry.getKey()).find())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        @Override
        public String toString() {
            return "%d statements, %d commits".formatted(statements(), commits);
        }
    }

    private final Map<String, LongAdder> statements = new ConcurrentHashMap<>();
    private final LongAdder commits = new LongAdder();

    CountingDataSource(DataSource target) {
        super(target);
    }

    Counts counts() {
        Map<String, Long> bySql = new HashMap<>();
        statements.forEach((sql, count) -> bySql.put(sql, count.sum()));
        return new Counts(bySql, commits.sum());
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
                return counting(PreparedStatement.class, statement, firstOf(arguments));
            }
            boolean unwrapped = arguments != null && arguments.length == 1 && arguments[0] == PGConnection.class;
            if (unwrapped && answer instanceof PGConnection driver) {
                return counting(driver);
            }
            return answer instanceof Statement statement ? counting(Statement.class, statement, "") : answer;
        });
    }

    /**
     * Each request for the driver's {@code COPY} interface counts as one {@code COPY}, because every caller sends
     * exactly one.
     */
    private PGConnection counting(PGConnection unwrapped) {
        return proxy(PGConnection.class, (method, arguments) -> {
            if (method.getName().equals("getCopyAPI")) {
                statements.computeIfAbsent("COPY", s -> new LongAdder()).increment();
            }
            return invoke(unwrapped, method, arguments);
        });
    }

    private <S extends Statement> S counting(Class<S> type, S statement, String prepared) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                String sql = prepared.isEmpty() ? firstOf(arguments) : prepared;
                statements.computeIfAbsent(sql, s -> new LongAdder()).increment();
            }
            return invoke(statement, method, arguments);
        });
    }

    private static String firstOf(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments[0] instanceof String sql ? sql : "";
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object answer(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                CountingDataSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    // Connection pools and Spring compare connections with the proxy itself.
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
