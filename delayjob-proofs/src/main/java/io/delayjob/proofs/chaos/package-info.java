/**
 * Tests real processes under real faults. A seed determines the faults. At the end, checks examine all ledgers and
 * rows.
 *
 * <pre>
 *   LongRun / tests --> Round --> Cluster --> WorkerProcess x n --stdin--> WorkerMain: Load, Handlers, engine
 *                         |          |             |  (a TCP proxy each)        |
 *                         |          '-> Injector  |                            '--> ledger (a file each)
 *                         |          (FaultPlan)                                         |
 *                         '--> Evidence: ledgers, faults done, rows left  &lt;--------------'
 *                                 |
 *                                 '--> Checks (what must hold), Figures (how long it took)
 * </pre>
 *
 * <p>The processes and the database use the clocks of one machine. Therefore the checks can find early starts without
 * the help of an engine.
 */
@NullMarked
package io.delayjob.proofs.chaos;

import org.jspecify.annotations.NullMarked;
