package shop;

import io.delayjob.test.DelayJobTester;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application of the stories. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({UnpaidOrders.class, Reminders.class, Tracking.class, Webhooks.class, CartCleanup.class})
class Shop {

    @Bean
    World world(DelayJobTester tester) {
        return new World(tester);
    }
}
