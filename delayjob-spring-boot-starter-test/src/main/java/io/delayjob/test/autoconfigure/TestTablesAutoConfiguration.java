package io.delayjob.test.autoconfigure;

import io.delayjob.autoconfigure.DelayJobDataSource;
import io.delayjob.autoconfigure.StoreDatabases;
import io.delayjob.jdbc.JobSchema;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.test.VirtualTime;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Configures {@link TestTables} for tests in real time and for tests in virtual time. */
@AutoConfiguration
final class TestTablesAutoConfiguration {

    @Bean
    JobStoreCustomizer delayJobTestTables(
            ObjectProvider<DataSource> dataSource,
            @DelayJobDataSource ObjectProvider<DataSource> delayJobDataSource,
            @Value("${delayjob.jdbc.table-prefix:" + JobSchema.DEFAULT_PREFIX + "}") String tablePrefix,
            ObjectProvider<VirtualTime> time,
            ObjectProvider<StoreDatabases> named) {
        return new TestTables(
                () -> delayJobDataSource.getIfAvailable(dataSource::getIfUnique),
                store -> named.getObject().find(store),
                tablePrefix,
                time.getIfAvailable());
    }
}
