package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@AutoConfigureDelayJobTest(startingAt = "2030-03-28T00:00:00Z")
class CartCleanupInSpringTest extends CartCleanupTest {

    @Autowired
    private World world;

    @Test
    void carts_arePurgedAtThreeOnTheDayWithoutTwo() {
        assertPurgedAtThreeInBerlinUntil(LocalDate.of(2030, 4, 3));
        assertThat(world.purges).contains(Instant.parse("2030-03-31T01:00:00Z"));
    }
}
