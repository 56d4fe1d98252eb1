package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.DelayJobTester;
import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;

/** The nightly story; each subclass lives through other nights. */
@SpringBootTest(classes = Shop.class, properties = "spring.datasource.generate-unique-name=true")
@AutoConfigureDelayJobTest
@DirtiesContext
abstract class CartCleanupTest {

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private World world;

    /** Lives through the nights until then, this one not included, and checks each. */
    void assertPurgedAtThreeInBerlinUntil(LocalDate end) {
        LocalDate start = LocalDate.ofInstant(tester.now(), ZoneOffset.UTC);
        tester.advanceTo(end.atStartOfDay(ZoneOffset.UTC).toInstant());
        List<LocalDate> nights = start.datesUntil(end).toList();
        assertThat(world.purges)
                .extracting(time -> time.atZone(ZoneId.of("Europe/Berlin")).toLocalDateTime())
                .containsExactlyElementsOf(nights.stream()
                        .map(night -> night.atTime(LocalTime.of(3, 0)))
                        .toList());
    }
}
