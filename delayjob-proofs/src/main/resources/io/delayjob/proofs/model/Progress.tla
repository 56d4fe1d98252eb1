------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* "The sweep gives liveness": every committed job comes to its end,       *)
(* whatever leases, cursors and memory held, once faults have ceased.      *)
(*                                                                         *)
(* Jobs.tla says what must never happen; here is what must happen, with    *)
(* the parts that it leaves out: leases, the window's cursor, the wheel,   *)
(* the sweep and adoption.  Time decides who comes first, and here it does *)
(* not matter who does: a due time comes, a lease expires and a silent     *)
(* instance is given up some time or other.                                *)
(*                                                                         *)
(* Tokens have done their work in Jobs.tla.  Here a transition makes       *)
(* everything that is known of the version before it worthless: such a     *)
(* claim finds nothing, such a completion is refused.                      *)
(*                                                                         *)
(* Fairness: an agent that could do something for good does it some time.  *)
(* That is what EngineThreads and SupervisedAgent promise.  Nothing is     *)
(* demanded of faults, nor of the user's commit.                           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Nodes,
    Able,       \* those that have the handler, and room for the job
    Runs,
    MaxFaults,
    Mutant      \* which rule of the protocol is broken; "none" in the product

ASSUME Able \subseteq Nodes /\ Able # {}

Nobody == "nobody"
Forgotten == "a number that is not registered"

VARIABLES
    row,       \* the job; its owner while it is RUNNING
    due,       \* its time has come
    leasable,  \* the lock table works; it may never have
    leader,    \* of the row's partition
    cursor,    \* whether the leader's window reader has passed the row's due time
    wheel,     \* who has the row, as it is, in his wheel or lane
    held,      \* who has the claim in memory
    unsure,    \* who does not know whether he claimed it: "as found" and "as claimed" are still true of the row, or not
    late,      \* who has a claim under way that may be applied yet, by the number he had then
    node,      \* up, unheard (paused or cut off) or down
    faults

vars == <<row, due, leasable, leader, cursor, wheel, held, unsure, late, node, faults>>

Broken(rule) == Mutant = rule

Up(n) == node[n] = "up"

Init ==
    /\ row = [state |-> "uncommitted", run |-> 1, owner |-> Nobody]
    /\ due = FALSE
    /\ leasable \in BOOLEAN
    /\ leader = Nobody
    /\ cursor = "before"
    /\ wheel = {}
    /\ held = Nobody
    /\ unsure = [n \in Nodes |-> "no"]
    /\ late = [n \in Nodes |-> Nobody]
    /\ node = [n \in Nodes |-> "up"]
    /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

(* A fresh token: wheels, late claims and releases that refer to the one before find nothing. *)
Outdate(knowing) ==
    /\ wheel' = knowing
    /\ late' = [n \in Nodes |-> Nobody]
    /\ unsure' = [n \in Nodes |-> IF unsure[n] = "no" THEN "no" ELSE "moved on"]

(* It waits, known to whoever wrote it, if he can run it. *)
Wait(n, run) ==
    /\ row' = [state |-> "DELAYED", run |-> run, owner |-> Nobody]
    /\ held' = Nobody
    /\ Outdate({n} \cap Able)

----------------------------------------------------------------------------
(* The application, and time. *)

(* By any instance; it may die before it hands the row over. *)
Commit ==
    /\ row.state = "uncommitted"
    /\ row' = [row EXCEPT !.state = "DELAYED"]
    /\ wheel' \in {{}} \cup {{n} : n \in {m \in Able : Up(m)}}
    /\ UNCHANGED <<due, leasable, leader, cursor, held, unsure, late, node, faults>>

ComeDue ==
    /\ ~due
    /\ due' = TRUE
    /\ UNCHANGED <<row, leasable, leader, cursor, wheel, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Lead: LeaseKeeper. *)

(* WindowReader.followLeases: it begins now, what was due before is the sweep's. *)
Lead(n) ==
    /\ leader = Nobody /\ leasable /\ Up(n)
    /\ leader' = n
    /\ cursor' = IF due THEN "behind" ELSE "before"
    /\ UNCHANGED <<row, due, leasable, wheel, held, unsure, late, node, faults>>

Expire ==
    /\ leader # Nobody
    /\ ~leasable \/ ~Up(leader)
    /\ leader' = Nobody
    /\ UNCHANGED <<row, due, leasable, cursor, wheel, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Preload: WindowReader, Sweeper. *)

(* What is not visible, or cannot run here, the cursor passes for good. *)
ReadWindow(n) ==
    /\ leader = n /\ Up(n) /\ cursor = "before"
    /\ cursor' = "behind"
    /\ wheel' = IF row.state = "DELAYED" /\ n \in Able THEN wheel \cup {n} ELSE wheel
    /\ UNCHANGED <<row, due, leasable, leader, held, unsure, late, node, faults>>

Overdue(n) == Up(n) /\ n \in Able \ wheel /\ row.state = "DELAYED" /\ due

Sweep(n) ==
    /\ leader = n /\ Overdue(n)
    /\ ~Broken("cursor without sweep")
    /\ wheel' = wheel \cup {n}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node, faults>>

Adopt(n) ==
    /\ leader # n /\ Overdue(n)
    /\ ~Broken("cursor without sweep") /\ ~Broken("no adoption")
    /\ wheel' = wheel \cup {n}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Claim, release, complete: Claimer, Attempts, Completer. *)

(* Due or not: how long ahead of its time a row may be claimed does not matter here. *)
MayClaim(n) == Up(n) /\ row.state = "DELAYED" /\ n \in wheel /\ unsure[n] = "no"

ClaimedBy(number) == [row EXCEPT !.state = "RUNNING", !.owner = number]

Claim(n) ==
    /\ MayClaim(n)
    /\ row' = ClaimedBy(n)
    /\ held' = n
    /\ Outdate({})
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

(* What there is to be done about a claim that was not answered. *)
Unsure(n, state) ==
    [m \in Nodes |-> IF m = n THEN IF Broken("unknown claims not released") THEN "no" ELSE state
                     ELSE IF unsure[m] = "no" THEN "no" ELSE IF state = "as claimed" THEN "moved on" ELSE unsure[m]]

(* Fault: it was applied. *)
ClaimUnanswered(n) ==
    /\ MayClaim(n)
    /\ Fault
    /\ row' = ClaimedBy(n)
    /\ held' = Nobody
    /\ wheel' = {}
    /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = Unsure(n, "as claimed")
    /\ UNCHANGED <<due, leasable, leader, cursor, node>>

(* Fault: it is to be applied some time, or never. *)
ClaimDelayed(n) ==
    /\ MayClaim(n)
    /\ Fault
    /\ wheel' = wheel \ {n}
    /\ late' = [late EXCEPT ![n] = n]
    /\ unsure' = Unsure(n, "as found")
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, node>>

ClaimLate(n) ==
    /\ late[n] # Nobody
    /\ row' = ClaimedBy(late[n])
    /\ held' = Nobody
    /\ wheel' = {}
    /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = [m \in Nodes |-> IF unsure[m] = "no" THEN "no" ELSE IF m = n THEN "as claimed" ELSE "moved on"]
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

Release(n) ==
    /\ Up(n) /\ unsure[n] # "no"
    /\ IF unsure[n] = "moved on" THEN UNCHANGED <<row, wheel, late>>
       ELSE /\ row' = [row EXCEPT !.state = "DELAYED", !.owner = Nobody]
            /\ wheel' = {}
            /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = [unsure EXCEPT ![n] = "no"]
    /\ UNCHANGED <<due, leasable, leader, cursor, held, node, faults>>

(* Fault: it is paused for a moment, or the store's clock is set back. *)
GiveBack(n) ==
    /\ Up(n) /\ held = n /\ ~due
    /\ Fault
    /\ row' = [row EXCEPT !.state = "DELAYED", !.owner = Nobody]
    /\ held' = Nobody
    /\ Outdate({})
    /\ UNCHANGED <<due, leasable, leader, cursor, node>>

(* What is claimed starts once it is due.  The next run is due at a later time, ahead of every cursor. *)
Complete(n) ==
    /\ Up(n) /\ held = n /\ due
    /\ IF row.run < Runs
         THEN Wait(n, row.run + 1) /\ due' = FALSE /\ cursor' = "before"
         ELSE /\ row' = [row EXCEPT !.state = "FINISHED", !.owner = Nobody]
              /\ held' = Nobody
              /\ Outdate({})
              /\ UNCHANGED <<due, cursor>>
    /\ UNCHANGED <<leasable, leader, node, faults>>

----------------------------------------------------------------------------
(* Silence and rescue: Membership, Rescuer. *)

GiveUp(n) ==
    /\ ~Up(n) /\ n \in {row.owner, late[n]}
    /\ \E m \in Nodes : Up(m)
    /\ row' = IF row.owner = n THEN [row EXCEPT !.owner = Forgotten] ELSE row
    /\ late' = IF late[n] = n THEN [late EXCEPT ![n] = Forgotten] ELSE late
    /\ UNCHANGED <<due, leasable, leader, cursor, wheel, held, unsure, node, faults>>

(* Rescuer: only what has come due is looked at. *)
RescueBy(n) ==
    /\ Up(n) /\ row.owner = Forgotten /\ due
    /\ Wait(n, row.run)
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

RescueByLeader(n) == leader = n /\ RescueBy(n)

RescueByOthers(n) == leader # n /\ ~Broken("only leaders rescue") /\ RescueBy(n)

(* It beats again; given up meanwhile, it is registered anew. *)
Wake(n) ==
    /\ node[n] = "unheard"
    /\ node' = [node EXCEPT ![n] = "up"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late, faults>>

----------------------------------------------------------------------------
(* Faults.  One instance that can run the job is left. *)

Crash(n) ==
    /\ node[n] # "down"
    /\ \E m \in Able \ {n} : node[m] # "down"
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "down"]
    /\ wheel' = wheel \ {n}
    /\ held' = IF held = n THEN Nobody ELSE held
    /\ unsure' = [unsure EXCEPT ![n] = "no"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, late>>

GoUnheard(n) ==
    /\ Up(n)
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "unheard"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late>>

(* The database is away, for all. *)
Outage ==
    /\ Fault
    /\ node' = [n \in Nodes |-> IF Up(n) THEN "unheard" ELSE node[n]]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late>>

(* Locked by a user's transaction and passed over, memory was full, the clock went back. *)
Drop ==
    /\ wheel # {}
    /\ Fault
    /\ wheel' = {}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node>>

(* A lease that is lost, or handed back. *)
LoseLease ==
    /\ leader # Nobody
    /\ Fault
    /\ leader' = Nobody
    /\ UNCHANGED <<row, due, leasable, cursor, wheel, held, unsure, late, node>>

(* For ever. *)
BreakLeases ==
    /\ leasable
    /\ Fault
    /\ leasable' = FALSE
    /\ UNCHANGED <<row, due, leader, cursor, wheel, held, unsure, late, node>>

----------------------------------------------------------------------------
Faulty ==
    \/ Outage \/ Drop \/ LoseLease \/ BreakLeases
    \/ \E n \in Nodes : Crash(n) \/ GoUnheard(n) \/ ClaimUnanswered(n) \/ ClaimDelayed(n) \/ ClaimLate(n) \/ GiveBack(n)

Leading(n) == Lead(n) \/ ReadWindow(n) \/ Sweep(n) \/ Adopt(n)

Working(n) == Claim(n) \/ Release(n) \/ Complete(n)

Minding(n) == GiveUp(n) \/ RescueByLeader(n) \/ RescueByOthers(n) \/ Wake(n)

Next == Commit \/ ComeDue \/ Expire \/ Faulty \/ \E n \in Nodes : Leading(n) \/ Working(n) \/ Minding(n)

Fairness ==
    /\ WF_vars(ComeDue) /\ WF_vars(Expire)
    /\ \A n \in Nodes : WF_vars(Leading(n)) /\ WF_vars(Working(n)) /\ WF_vars(Minding(n))

Spec == Init /\ [][Next]_vars /\ Fairness

----------------------------------------------------------------------------
EveryCommittedJobEnds == row.state = "DELAYED" ~> row.state = "FINISHED"

=============================================================================
