package io.delayjob.rest;

import io.delayjob.job.CancelResult;

/** The response to a cancellation. */
record CancelledJob(CancelResult result) implements ApiBody {}
