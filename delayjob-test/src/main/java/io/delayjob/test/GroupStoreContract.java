package io.delayjob.test;

/**
 * Additional tests for stores that keep {@linkplain io.delayjob.store.StoreCapability#GROUPS groups of jobs}. The test
 * of such a store extends {@link JobStoreContract} and implements this interface. Other stores need not pass these
 * tests, but must refuse calls that name a group.
 */
public interface GroupStoreContract extends GroupContract, GroupEndContract, GroupReportContract, GroupMemberContract {}
