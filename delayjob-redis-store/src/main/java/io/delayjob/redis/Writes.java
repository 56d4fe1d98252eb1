package io.delayjob.redis;

import io.delayjob.store.Durability;
import java.util.Collection;
import java.util.List;

/** Runs scripts that write. Thread-safe. */
interface Writes extends AutoCloseable {

    /** A run of a script. There is at least one key, and all keys are in one slot. */
    record Call(List<String> keys, List<byte[]> arguments) {

        Call(ScriptBatch batch) {
            this(batch.keys(), batch.arguments());
        }

        Call(RowBatch batch) {
            this(batch.keys(), batch.arguments());
        }
    }

    interface Runs {

        /** The run may be sent at once, so that the server works while the caller prepares the next run. */
        void add(Call call);

        /**
         * Returns the answers in the order of the runs. After this call, the writes are as durable as the store
         * promises.
         *
         * @throws io.delayjob.store.StoreException if it is unknown whether everything was written and is durable
         */
        List<List<Object>> answers();
    }

    Runs begin(String doing, LuaScript script);

    default List<List<Object>> run(String doing, LuaScript script, List<Call> calls) {
        Runs runs = begin(doing, script);
        calls.forEach(runs::add);
        return runs.answers();
    }

    /** Waits until all earlier writes in the slots of these keys are as durable as the store promises. */
    void confirm(String doing, Collection<String> keys);

    Durability durability();

    @Override
    void close();
}
