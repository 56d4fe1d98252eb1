package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Has the store wait until all tables are there, whoever creates them: this library, Flyway, Liquibase. */
final class JobStoreDependsOnDatabaseInitializationDetector
        extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(JdbcJobStore.class);
    }
}
