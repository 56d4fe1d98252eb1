package io.delayjob.store;

import io.delayjob.job.DueRow;

/**
 * As much of a running row as a rescue needs.
 *
 * @param row the row, with the token of its claim
 * @param owner the number of the instance that claimed it
 */
public record ClaimedRow(DueRow row, long owner) {}
