package io.delayjob.spring;

import io.delayjob.job.NewJob;
import java.util.List;

/**
 * A call that waits for the commit of the caller's transaction.
 *
 * @param call the call in words, a verb and its object
 * @param jobs the new jobs; empty if the call only changes existing jobs
 */
record WaitingCall(String call, List<NewJob> jobs, Runnable action) {}
