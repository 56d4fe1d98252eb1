package io.delayjob.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Loses answers on command: the statement or commit has done its work when the caller is told that the line broke. */
final class LosingDataSource extends DelegatingDataSource {

    final AtomicInteger commitsToLose = new AtomicInteger();
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
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (method.getName().equals("commit") && isDue(commitsToLose)) {
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
