package io.delayjob.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Loses requests and answers on command: the caller is told that the line broke. */
final class LosingDataSource extends DelegatingDataSource {

    /** Commits of which neither the server nor the caller hears. */
    final AtomicInteger commitsToDrop = new AtomicInteger();

    /** Commits that are done, of which the caller does not hear. */
    final AtomicInteger commitsToLose = new AtomicInteger();
    /** What happens between a lost commit and its caller's next step. */
    Runnable afterLostCommit = () -> {};

    final AtomicInteger statementsToRefuse = new AtomicInteger();
    final AtomicInteger opened = new AtomicInteger();

    LosingDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        opened.incrementAndGet();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && isDue(statementsToRefuse)) {
                        throw new SQLException("the line broke", "08006");
                    }
                    if (method.getName().equals("commit") && isDue(commitsToDrop)) {
                        connection.rollback();
                        throw new SQLException("the line broke", "08006");
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (method.getName().equals("commit") && isDue(commitsToLose)) {
                            afterLostCommit.run();
                            throw new SQLException("the line broke", "08006");
                        }
                        return result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static boolean isDue(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }
}
