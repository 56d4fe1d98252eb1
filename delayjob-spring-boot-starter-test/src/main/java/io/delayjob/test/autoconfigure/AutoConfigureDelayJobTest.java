package io.delayjob.test.autoconfigure;

import io.delayjob.test.DelayJobTester;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Has the time of jobs pass when the test says so, beside {@code @SpringBootTest} or a slice such as {@code @JdbcTest}:
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureDelayJobTest
 * class UnpaidOrdersTest {
 *
 *     @Autowired DelayJobTester tester;
 *     @Autowired UnpaidOrders unpaidOrders;
 *
 *     @Test
 *     void unpaidOrderIsCancelled() {
 *         unpaidOrders.placed(42);
 *         tester.advance(ofMinutes(30));
 *         assertThat(orders.find(42).status()).isEqualTo(CANCELLED);
 *     }
 * }
 * }</pre>
 *
 * <p>Clock, threads and leases are virtual; all else is the application's own. Jobs are kept in its database, where
 * virtual time passes, too, or, if it has none or {@code delayjob.store=memory}, in memory. Handlers run on the test's
 * thread, within {@link DelayJobTester#advance}.
 *
 * <p>The job tables must not be those of a real application: a context that finds jobs or instances of real time there
 * does not start, and says how to go on. A database in memory and tables that were new to this test run always do.
 *
 * <p>Jobs and time outlive a test method as far as its application context does; {@code @DirtiesContext} begins anew.
 * In a test method that is {@code @Transactional} itself, nothing of what it schedules is ever committed, and so
 * nothing runs.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("delayjob.test")
public @interface AutoConfigureDelayJobTest {

    /** The instant at which time begins, in ISO-8601. */
    String startingAt() default "2030-01-01T00:00:00Z";
}
