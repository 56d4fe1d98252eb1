package io.delayjob.test;

/**
 * Additional tests for stores that keep {@linkplain io.delayjob.store.StoreCapability#GROUPS groups of jobs}. The test
 * of such a store extends {@link JobStoreContract} and implements this interface. A store without groups must refuse
 * each call that states a group.
 */
public interface GroupStoreContract extends GroupContract, GroupEndContract, GroupReportContract, GroupMemberContract {}
