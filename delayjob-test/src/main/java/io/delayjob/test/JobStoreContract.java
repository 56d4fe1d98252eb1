package io.delayjob.test;

import io.delayjob.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The test suite that every {@link JobStore} must pass. For each sentence in the Javadoc of {@link JobStore}, there is
 * a test. The test of a store looks like this:
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
 * <p>The tests use no transaction of a caller, so a store without transactions can pass. If a store joins transactions,
 * the store needs separate tests of its transactions. If a store keeps groups, its test also implements {@link
 * GroupStoreContract}. All random data comes from fixed seeds.
 */
public abstract class JobStoreContract
        implements SubmitContract,
                CallbackContract,
                PlacementContract,
                KeyContract,
                GivenIdContract,
                ClaimContract,
                ReleaseContract,
                CompleteContract,
                FenceContract,
                HistoryContract,
                KeepTimeContract,
                CancelContract,
                PauseContract,
                ChangeContract,
                AwaitContract,
                AnswerContract,
                BulkChangeContract,
                RescueContract,
                PreloadContract,
                QueryContract,
                QueryOrderContract,
                OutlookContract,
                TextContract,
                ExtrasContract,
                MutexContract,
                RateKeyContract,
                FairKeyContract,
                ChainContract,
                ChainOfUsedIdContract,
                OversizePayloadContract,
                InstanceContract,
                IdentityContract,
                StatisticsContract,
                CapabilityContract {

    private @Nullable StoreScenario scenario;

    /** Returns the store under test, without jobs and instances. This method is called once before each test. */
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
            throw new IllegalStateException("The store exists only during a test: call given() within a test.");
        }
        return scenario;
    }
}
