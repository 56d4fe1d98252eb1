package io.delayjob.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Loses requests and answers on command: the caller is told that the line broke. An INSERT that commits itself counts
 * as a commit.
 */
final class LosingDataSource extends DelegatingDataSource {

    @FunctionalInterface
    private interface Call {
        Object answer(Method method, Object[] arguments) throws Throwable;
    }

    /** Commits of which neither the server nor the caller hears. */
    final AtomicInteger commitsToDrop = new AtomicInteger();

    /** Commits that are done, of which the caller does not hear. */
    final AtomicInteger commitsToLose = new AtomicInteger();

    /** What happens before a statement is prepared. */
    Consumer<String> beforeStatement = sql -> {};

    /** What happens between a lost commit and its caller's next step. */
    Runnable afterLostCommit = () -> {};

    final AtomicInteger statementsToRefuse = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger prepared = new AtomicInteger();

    LosingDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        opened.incrementAndGet();
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                prepared.incrementAndGet();
                beforeStatement.accept((String) arguments[0]);
                if (isDue(statementsToRefuse)) {
                    throw brokenLine();
                }
            }
            if (method.getName().equals("commit")) {
                return committing(connection, method, arguments);
            }
            Object answer = invoke(connection, method, arguments);
            return answer instanceof PreparedStatement insert
                            && connection.getAutoCommit()
                            && ((String) arguments[0]).startsWith("INSERT")
                    ? proxy(
                            PreparedStatement.class,
                            (call, values) -> call.getName().startsWith("execute")
                                    ? committing(insert, call, values)
                                    : invoke(insert, call, values))
                    : answer;
        });
    }

    private Object committing(Object target, Method method, Object[] arguments) throws Throwable {
        if (isDue(commitsToDrop)) {
            if (target instanceof Connection connection) {
                connection.rollback();
            }
            throw brokenLine();
        }
        Object answer = invoke(target, method, arguments);
        if (isDue(commitsToLose)) {
            afterLostCommit.run();
            throw brokenLine();
        }
        return answer;
    }

    private static SQLException brokenLine() {
        return new SQLException("the line broke", "08006");
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                LosingDataSource.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call.answer(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static boolean isDue(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }
}
