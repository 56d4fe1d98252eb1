package io.delayjob.spring;

/**
 * Marks a {@link io.delayjob.event.JobListener} or {@link JobStoreCustomizer} that is used only for the default store.
 * Beans without this mark are used for all stores.
 */
public interface OfDefaultStore {}
