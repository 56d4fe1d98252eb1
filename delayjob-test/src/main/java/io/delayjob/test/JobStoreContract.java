package io.delayjob.test;

import io.delayjob.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The suite that every {@link JobStore} passes: each sentence of its Javadoc, as a test. A store's test is this:
 *
 * <pre>{@code
 * class MyStoreContractTest extends JobStoreContract {
 *     @Override
 *     protected JobStore store() {
 *         return new MyStore(anEmptyDatabase());
 *     }
 * }
 * }</pre>
 *
 * <p>Nothing here needs a transaction of the caller's, so that stores without such a thing pass as well; a store that
 * joins transactions shows that in tests of its own. All data is made from fixed seeds.
 */
public abstract class JobStoreContract
        implements SubmitContract,
                PlacementContract,
                KeyContract,
                ClaimContract,
                ReleaseContract,
                CompleteContract,
                HistoryContract,
                CancelContract,
                PauseContract,
                ChangeContract,
                RescueContract,
                PreloadContract,
                QueryContract,
                QueryOrderContract,
                OutlookContract,
                TextContract,
                OversizePayloadContract,
                InstanceContract,
                IdentityContract,
                CapabilityContract {

    private @Nullable StoreScenario scenario;

    /** The store under test, without a job or an instance in it. Called once before each test. */
    protected abstract JobStore store();

    @BeforeEach
    final void openStore() {
        scenario = new StoreScenario(store());
    }

    @AfterEach
    final void forgetStore() {
        scenario = null;
    }

    @Override
    public final StoreScenario given() {
        if (scenario == null) {
            throw new IllegalStateException("There is no store before and after a test: ask within one.");
        }
        return scenario;
    }
}
