package io.delayjob.store;

import io.delayjob.job.DueRow;

/**
 * Contains the values that are needed to rescue a running job.
 *
 * @param row the row, with the token that the claim has set
 * @param owner number of the instance that claimed the row
 */
public record ClaimedRow(DueRow row, long owner) {}
