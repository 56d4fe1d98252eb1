package shop;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "delayjob.store=memory")
class CartCleanupAllYearTest extends CartCleanupTest {

    @Test
    void carts_arePurgedAtThreeEveryNightOfTheYear() {
        assertPurgedAtThreeInBerlinUntil(LocalDate.of(2031, 1, 1));
    }
}
