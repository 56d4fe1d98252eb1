package io.delayjob.rest;

import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;

/**
 * The response to a request that schedules a job.
 *
 * @param id the job that serves the request: the new job, or the existing job with the same key or Idempotency-Key
 */
record SubmittedJob(String id, Scheduled.Outcome outcome, JobState state) implements ApiBody {}
