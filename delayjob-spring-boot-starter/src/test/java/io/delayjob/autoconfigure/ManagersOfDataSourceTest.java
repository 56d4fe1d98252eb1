package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.DefaultJpaDialect;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

class ManagersOfDataSourceTest {

    private final DataSource ours = new JdbcDataSource();
    private final PlatformTransactionManager other = new JdbcTransactionManager(new JdbcDataSource());

    private PlatformTransactionManager jpa() {
        JpaTransactionManager manager = new JpaTransactionManager();
        manager.setDataSource(ours);
        manager.setJpaDialect(new DefaultJpaDialect() {});
        return manager;
    }

    private static StaticListableBeanFactory beans(PlatformTransactionManager... managers) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        for (PlatformTransactionManager manager : managers) {
            beans.addBean("manager-" + beans.getBeanDefinitionCount(), manager);
        }
        return beans;
    }

    @Test
    void managerOfJpa_isRecognised() {
        PlatformTransactionManager jpa = jpa();

        assertThat(ManagersOfDataSource.only(beans(other, jpa), ours)).isSameAs(jpa);
    }

    @Test
    void managersOfOneDataSource_areAmbiguous() {
        PlatformTransactionManager jdbc = new JdbcTransactionManager(ours);

        assertThat(ManagersOfDataSource.only(beans(other, jdbc), ours)).isSameAs(jdbc);
        assertThat(ManagersOfDataSource.only(beans(jdbc, jpa()), ours)).isNull();
    }
}
