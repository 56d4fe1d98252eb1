package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

class ManagersOfDataSourceTest {

    private final DataSource ours = new JdbcDataSource();
    private final PlatformTransactionManager other = new JdbcTransactionManager(new JdbcDataSource());

    private PlatformTransactionManager jpa() {
        JpaTransactionManager manager = new JpaTransactionManager();
        manager.setDataSource(ours);
        return manager;
    }

    @Test
    void managerOfJpa_isRecognised() {
        PlatformTransactionManager jpa = jpa();

        assertThat(ManagersOfDataSource.only(Stream.of(other, jpa), ours)).isSameAs(jpa);
    }

    @Test
    void managersOfOneDataSource_areAmbiguous() {
        PlatformTransactionManager jdbc = new JdbcTransactionManager(ours);

        assertThat(ManagersOfDataSource.only(Stream.of(other, jdbc), ours)).isSameAs(jdbc);
        assertThat(ManagersOfDataSource.only(Stream.of(jdbc, jpa()), ours)).isNull();
    }
}
