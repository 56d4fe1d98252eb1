package io.delayjob.rest;

import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;

/**
 * The answer to a request that schedules a job.
 *
 * @param id the job that serves the request: the new one, or the existing one of the same key or Idempotency-Key
 */
record SubmittedJob(String id, Scheduled.Outcome outcome, JobState state) implements ApiBody {}
