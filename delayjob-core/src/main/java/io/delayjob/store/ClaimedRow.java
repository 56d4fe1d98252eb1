package io.delayjob.store;

import io.delayjob.job.DueRow;

/**
 * A running row, reduced to the values that a rescue needs.
 *
 * @param row the row, with the token of its claim
 * @param owner number of the instance that claimed it
 */
public record ClaimedRow(DueRow row, long owner) {}
