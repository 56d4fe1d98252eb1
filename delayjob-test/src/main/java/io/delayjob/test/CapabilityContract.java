package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreCapabilities;
import io.delayjob.store.StoreCapability;
import io.delayjob.store.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Checks that a store states its abilities, and refuses each call that needs a missing ability. */
interface CapabilityContract extends GivenStore {

    @Test
    default void capabilities_neverChange() {
        StoreCapabilities atFirst = given().store().capabilities();
        given().submit(given().job());

        assertThat(given().store().capabilities()).isEqualTo(atFirst);
    }

    @Test
    default void workInAHandlerTransaction_beginsOnlyIfTheStoreHasSuch() {
        boolean able = given().store().capabilities().has(StoreCapability.HANDLER_TRANSACTIONS);
        AtomicBoolean begun = new AtomicBoolean();
        HandlerTransactions.Work work = () -> {
            begun.set(true);
            throw new IllegalStateException("rolled back");
        };

        AbstractThrowableAssert<?, ?> refusal =
                assertThatThrownBy(() -> given().store().handlerTransactions().complete(work, null));

        assertThat(begun.get()).as("the work has begun").isEqualTo(able);
        if (able) {
            refusal.hasMessageContaining("rolled back");
        } else {
            refusal.isInstanceOfSatisfying(
                            StoreException.class,
                            refused -> assertThat(refused.isTransient()).isFalse())
                    .hasMessageContaining(given().store().toString());
        }
    }

    @Test
    default void groups_areRefusedByName_unlessTheStoreKeepsThemAndPassesTheirContract() {
        boolean able = given().store().capabilities().has(StoreCapability.GROUPS);

        assertThat(this instanceof GroupStoreContract)
                .as("the test of this store implements GroupStoreContract")
                .isEqualTo(able);
        if (!able) {
            assertThatThrownBy(() -> given().store().groups())
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(given().store().toString());
            assertThatThrownBy(() -> given().store().find(JobQuery.all().group("import"), StoreScenario.NOW))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("import")
                    .hasMessageContaining(given().store().toString());
        }
    }
}
