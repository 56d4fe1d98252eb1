package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class NamedStoreMetersTest {

    @Test
    void metersOfANamedStore_keepTheirValuesAfterGarbageCollection() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("delayjob.store=memory", "delayjob.stores.eu.store=memory")
                .run()) {
            MeterRegistry registry = application.getBean(MeterRegistry.class);

            collectGarbage();

            for (String store : new String[] {"default", "eu"}) {
                assertThat(registry.get("delayjob.jobs").tag("store", store).gauges())
                        .as(store)
                        .isNotEmpty()
                        .extracting(Gauge::value)
                        .doesNotContain(Double.NaN);
                for (TimeGauge gauge : new TimeGauge[] {
                    registry.get("delayjob.oldest.due.age").tag("store", store).timeGauge(),
                    registry.get("delayjob.clock.skew").tag("store", store).timeGauge(),
                    registry.get("delayjob.wheel.lag").tag("store", store).timeGauge()
                }) {
                    assertThat(gauge.value()).as(gauge.getId().toString()).isNotNaN();
                }
            }
        }
    }

    private static void collectGarbage() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        while (garbage.get() != null) {
            System.gc();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }
}
