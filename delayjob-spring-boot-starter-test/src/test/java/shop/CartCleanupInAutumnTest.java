package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@AutoConfigureDelayJobTest(startingAt = "2030-10-24T00:00:00Z")
class CartCleanupInAutumnTest extends CartCleanupTest {

    @Autowired
    private World world;

    @Test
    void carts_arePurgedAtThreeOnTheDayWithTwoTwice() {
        assertPurgedAtThreeInBerlinUntil(LocalDate.of(2030, 10, 30));
        assertThat(world.purges).contains(Instant.parse("2030-10-27T02:00:00Z"));
    }
}
