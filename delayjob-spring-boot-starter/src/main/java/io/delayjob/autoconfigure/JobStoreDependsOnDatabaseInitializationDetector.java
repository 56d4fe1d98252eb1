package io.delayjob.autoconfigure;

import io.delayjob.jdbc.JdbcJobStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Makes the store wait until the tables exist, whether this library, Flyway or Liquibase creates them. */
final class JobStoreDependsOnDatabaseInitializationDetector
        extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(JdbcJobStore.class);
    }
}
