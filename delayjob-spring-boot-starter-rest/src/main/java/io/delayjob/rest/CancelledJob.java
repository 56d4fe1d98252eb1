package io.delayjob.rest;

import io.delayjob.job.CancelResult;

/** The answer to a cancellation. */
record CancelledJob(CancelResult result) implements ApiBody {}
