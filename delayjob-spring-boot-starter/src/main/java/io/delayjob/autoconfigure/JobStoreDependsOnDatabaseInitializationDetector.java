package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Makes the store wait until this library, Flyway or Liquibase has created the tables. */
final class JobStoreDependsOnDatabaseInitializationDetector
        extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(JdbcJobStore.class);
    }
}
