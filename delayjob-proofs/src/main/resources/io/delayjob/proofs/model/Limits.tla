------------------------------- MODULE Limits -------------------------------
(***************************************************************************)
(* Which jobs of a mutex, or of a handler with a concurrency in the        *)
(* cluster, may run at the same time: Mutexes, ClusterShare, RunningWatch. *)
(*                                                                         *)
(* Both limits rest on the same idea.  There is no lock beside the rows: a *)
(* running row uses up the limit.  Leases deal the limit out.  A new       *)
(* leader reads the running rows before it decides anything.               *)
(*                                                                         *)
(*   mutex   one partition decides.  The leader decides before the claim,  *)
(*           so the claim counts only if its answer comes under the lease  *)
(*           under which the leader has decided.                           *)
(*   slots   each partition has a slot, and any job may use it.  The start *)
(*           decides, after the claim was answered.                        *)
(*                                                                         *)
(* Leases.tla shows that there is one leader at a time, Silence.tla which  *)
(* instance may be given up, and Jobs.tla that tokens keep every statement *)
(* from a row that has changed since it was read.  So this module has no   *)
(* tokens and no terms of leases.  A ticket notes whether its row still    *)
(* has the token that it relies on (fits), and whether the lease still     *)
(* lasts under which it was taken (counts).                                *)
(*                                                                         *)
(* Pauses.  Nothing makes an instance take its next step, and leases end   *)
(* without its help.  A statement is applied at any time after it was      *)
(* sent, and answered at any time after that, or never.                    *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Nodes,      \* processes; a crashed one returns as another one
    Homes,      \* partitions; each has one slot, and the first one decides about the mutex
    Alone,      \* jobs with the same mutex
    Limited,    \* jobs of the handler with a concurrency in the cluster
    MaxFaults,
    Mutant      \* the rule of the protocol that is broken; "none" in the product

Jobs == Alone \cup Limited

VARIABLES
    kind,    \* the limit that is looked at: "mutex" or "slots"
    row,     \* by job: it waits, runs by a claim of an instance, runs by a claim of a forgotten number, or has ended
    ticket,  \* by instance and job: what the instance knows of its claim
    leader,  \* by home
    known,   \* by home: whether its leader has read the running rows under its lease
    blocks,  \* by home: rows that ran elsewhere then; each with a mark whether it still runs by the same claim
    search,  \* by instance: the read of the running rows that is under way, and the homes whose leases have lasted since
    node,    \* well, silent for longer than liveness, or dead
    faults

vars == <<kind, row, ticket, leader, known, blocks, search, node, faults>>

Broken(rule) == Mutant = rule

Nobody == "nobody"
Waits == "waits"
Ended == "ended"
Forgotten == "a number that is not registered"

MutexHome == CHOOSE h \in Homes : TRUE

NoTicket == [at |-> "none", fits |-> FALSE, counts |-> FALSE, lost |-> FALSE]
NoSearch == [on |-> FALSE, homes |-> {}, left |-> {}, found |-> {}]

Init ==
    /\ kind \in {"mutex", "slots"}
    /\ row = [j \in Jobs |-> IF j \in (IF kind = "mutex" THEN Alone ELSE Limited) THEN Waits ELSE Ended]
    /\ ticket = [n \in Nodes |-> [j \in Jobs |-> NoTicket]]
    /\ leader = [h \in Homes |-> Nobody]
    /\ known = [h \in Homes |-> FALSE]
    /\ blocks = [h \in Homes |-> {}]
    /\ search = [n \in Nodes |-> NoSearch]
    /\ node = [n \in Nodes |-> "well"]
    /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

Limit == IF kind = "mutex" THEN 1 ELSE Cardinality(Homes)

UsedHomes == IF kind = "mutex" THEN {MutexHome} ELSE Homes

Min(a, b) == IF a < b THEN a ELSE b

RECURSIVE Sum(_, _)
Sum(of, keys) == IF keys = {} THEN 0 ELSE LET k == CHOOSE k \in keys : TRUE IN of[k] + Sum(of, keys \ {k})

----------------------------------------------------------------------------
(* Rows and tickets. *)

At(n, j, states) == ticket[n][j].at \in states

(* What an instance holds: Mutex.holder, ClusterShare.held. *)
Held(n) == {j \in Jobs : At(n, j, {"sent", "applied", "unsure", "claimed", "running"})}

Running(n) == {j \in Jobs : At(n, j, {"running"})}

(* The row of a job gets a new token.  From now on no other ticket fits.  Watchers of the old claim see its end. *)
Gone(entries, j) == {IF e[1] = j THEN <<j, FALSE>> ELSE e : e \in entries}

(* tickets are the tickets after this step.  Only the ticket of instance n fits the new token. *)
Change(j, value, tickets, n) ==
    /\ row' = [row EXCEPT ![j] = value]
    /\ ticket' = [m \in Nodes |-> IF m = n THEN tickets[m] ELSE [tickets[m] EXCEPT ![j] =
            IF @.at = "stray" THEN NoTicket ELSE [@ EXCEPT !.fits = FALSE]]]
    /\ blocks' = [h \in Homes |-> Gone(blocks[h], j)]
    /\ search' = [m \in Nodes |-> [search[m] EXCEPT !.found = Gone(@, j)]]

Tickets(n, j, t) == [ticket EXCEPT ![n][j] = t]

UNCHANGEDLeases == UNCHANGED <<leader, known>>

UNCHANGEDKnowledge == UNCHANGED <<leader, known, blocks, search>>

----------------------------------------------------------------------------
(* Leases: LeaseKeeper, HeldLeases.term.  What was known under a lease is forgotten with it: Mutexes.Ground.beginAnew,
   ClusterShare.Part.beginAnew.  Code that looks later finds another term. *)

Lead(n, h) ==
    /\ h \in UsedHomes /\ leader[h] = Nobody /\ node[n] = "well"
    /\ leader' = [leader EXCEPT ![h] = n]
    /\ known' = [known EXCEPT ![h] = Broken("a new leader does not read the running rows")]
    /\ UNCHANGED <<kind, row, ticket, blocks, search, node, faults>>

EndLease(h) ==
    /\ leader' = [leader EXCEPT ![h] = Nobody]
    /\ known' = [known EXCEPT ![h] = FALSE]
    /\ blocks' = [blocks EXCEPT ![h] = {}]
    /\ search' = [search EXCEPT ![leader[h]].homes = @ \ {h}]
    /\ ticket' = [ticket EXCEPT ![leader[h]] = [j \in Jobs |-> [@[j] EXCEPT !.counts = FALSE]]]

(* The lease is not renewed. *)
Expire(h) ==
    /\ leader[h] # Nobody /\ node[leader[h]] # "well"
    /\ EndLease(h)
    /\ UNCHANGED <<kind, row, node, faults>>

(* Fault: the lease is given back, or its holder pauses. *)
LoseLease(h) ==
    /\ leader[h] # Nobody
    /\ Fault
    /\ EndLease(h)
    /\ UNCHANGED <<kind, row, node>>

----------------------------------------------------------------------------
(* What runs elsewhere: RunningWatch. *)

(* DueJobs.claimedByOthers *)
Runs(j) == row[j] \notin {Waits, Ended}

(* Lanes.isHeldHere: the job runs by a claim of this instance, and the claim was answered. *)
HeldHere(n) == {<<j, TRUE>> : j \in {k \in Jobs : At(n, k, {"claimed", "running"}) /\ ticket[n][k].fits}}

Unread(n) == {h \in UsedHomes : leader[h] = n /\ ~known[h]}

(* RunningWatch.begin *)
BeginRead(n) ==
    /\ node[n] = "well" /\ ~search[n].on /\ Unread(n) # {}
    /\ search' = [search EXCEPT ![n] = [on |-> TRUE, homes |-> Unread(n), left |-> {j \in Jobs : row[j] # Ended}, found |-> {}]]
    /\ UNCHANGED <<kind, row, ticket, leader, known, blocks, node, faults>>

(* Search.readPage: one row after the other, in the order of their due times. *)
ReadRow(n) ==
    /\ node[n] = "well" /\ search[n].on /\ search[n].left # {}
    /\ LET j == CHOOSE j \in search[n].left : TRUE
       IN search' = [search EXCEPT ![n].left = @ \ {j}, ![n].found = IF Runs(j) THEN @ \cup {<<j, TRUE>>} ELSE @]
    /\ UNCHANGED <<kind, row, ticket, leader, known, blocks, node, faults>>

(* HeldElsewhere.learn: it counts only for the leases that have lasted since the read began. *)
EndRead(n) ==
    /\ node[n] = "well" /\ search[n].on /\ search[n].left = {}
    /\ LET learned == IF Broken("a read counts for leases that began after it") THEN Unread(n) ELSE search[n].homes
       IN /\ known' = [h \in Homes |-> known[h] \/ h \in learned]
          /\ blocks' = [h \in Homes |-> IF h \in learned THEN search[n].found \ HeldHere(n) ELSE blocks[h]]
    /\ search' = [search EXCEPT ![n] = NoSearch]
    /\ UNCHANGED <<kind, row, ticket, leader, node, faults>>

(* RunningWatch.look, HeldElsewhere.ended: the jobs have ended, or run here. *)
Over(n, h) == {e \in blocks[h] : ~e[2] \/ e \in HeldHere(n)}

Look(n) ==
    /\ node[n] = "well" /\ ~search[n].on
    /\ ~Broken("nobody looks for the end of rows that run elsewhere")
    /\ \E h \in UsedHomes : leader[h] = n /\ known[h] /\ Over(n, h) # {}
    /\ blocks' = [h \in Homes |-> IF leader[h] = n /\ known[h] THEN blocks[h] \ Over(n, h) ELSE blocks[h]]
    /\ UNCHANGED <<kind, row, ticket, leader, known, search, node, faults>>

----------------------------------------------------------------------------
(* The limits. *)

(* Gates.decidesAbout, Mutex.isFree *)
MutexIsFree(n) == leader[MutexHome] = n /\ known[MutexHome] /\ blocks[MutexHome] = {} /\ Held(n) = {}

(* ClusterShare.look: a row that runs elsewhere blocks one slot, even if it was read for several partitions. *)
Usable(n) ==
    LET homes == {h \in Homes : leader[h] = n /\ known[h]}
        blocked == Sum([h \in Homes |-> Min(1, Cardinality(blocks[h]))], homes)
        blocking == Cardinality(UNION {blocks[h] : h \in homes})
    IN IF Broken("rows that run elsewhere block no slot") THEN Cardinality(homes)
       ELSE Cardinality(homes) - Min(blocked, blocking)

(* Gates.take, Lane.mayClaim *)
MayTake(n) == IF kind = "mutex" THEN MutexIsFree(n) ELSE Cardinality(Held(n)) < Usable(n)

(* ClusterShare.mayStart *)
MayUseSlot(n) ==
    \/ kind = "mutex"
    \/ Cardinality(Running(n)) < Usable(n)
    \/ Broken("a start does not look at the leases")

----------------------------------------------------------------------------
(* Claim: Claimer, ClaimQueue, Claims.  A row is in memory in its present version, because an older version claims
   nothing. *)

(* ClaimQueue.toClaim: the mutex is taken, and the claim is sent.  Nothing is claimed while a release is due. *)
Take(n, j) ==
    /\ node[n] = "well" /\ row[j] = Waits /\ ticket[n][j] = NoTicket
    /\ \A k \in Jobs : ~At(n, k, {"unsure", "unstarted"})
    /\ MayTake(n)
    /\ ticket' = Tickets(n, j, [at |-> "sent", fits |-> TRUE, counts |-> kind = "mutex", lost |-> FALSE])
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

(* Mutant: the term of the lease is read once more after the decision. *)
NoteLease(n, j) ==
    /\ Broken("the lease of a claim is noted after the decision")
    /\ At(n, j, {"sent"}) /\ leader[MutexHome] = n
    /\ ticket' = [ticket EXCEPT ![n][j].counts = TRUE]
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

Owner(n, j) == IF ticket[n][j].lost THEN Forgotten ELSE n

(* JobTransitions.claim.  With slots, the claim is answered at once, because the time of the answer decides nothing. *)
Apply(n, j) ==
    /\ At(n, j, {"sent"}) /\ ticket[n][j].fits
    /\ Change(j, Owner(n, j), [ticket EXCEPT ![n][j].at = IF kind = "mutex" THEN "applied" ELSE "claimed"], n)
    /\ UNCHANGED <<kind, node, faults>> /\ UNCHANGEDLeases

(* ClaimQueue.claimed: the row was claimed, or passed over because it had changed. *)
Answer(n, j) ==
    /\ node[n] # "dead"
    /\ \/ /\ At(n, j, {"sent"}) /\ ~ticket[n][j].fits
          /\ ticket' = Tickets(n, j, NoTicket)
       \/ /\ At(n, j, {"applied"})
          /\ LET counts == ticket[n][j].counts \/ Broken("a claim counts under any lease")
             IN ticket' = [ticket EXCEPT ![n][j].at = IF counts THEN "claimed" ELSE "unstarted", ![n][j].counts = FALSE]
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

(* Fault: an error instead of the answer.  Claims.claim: the rows are released, and keep their mutexes until then.  With
   slots this would only leave slots unused. *)
NoAnswer(n, j) ==
    /\ kind = "mutex" /\ node[n] # "dead" /\ At(n, j, {"sent", "applied"})
    /\ Fault
    /\ ticket' = [ticket EXCEPT ![n][j].at = "unsure", ![n][j].counts = FALSE]
    /\ UNCHANGED <<kind, row, node>> /\ UNCHANGEDKnowledge

(* A claim without an answer is applied after all. *)
ApplyLate(n, j) ==
    /\ At(n, j, {"unsure", "stray"}) /\ ticket[n][j].fits /\ row[j] = Waits
    /\ Change(j, Owner(n, j), IF At(n, j, {"stray"}) THEN Tickets(n, j, NoTicket) ELSE ticket, n)
    /\ UNCHANGED <<kind, node, faults>> /\ UNCHANGEDLeases

(* Claims.release.  An unanswered release is repeated, and frees nothing before.  So only the last one counts. *)
Release(n, j) ==
    /\ node[n] # "dead" /\ At(n, j, {"unsure", "unstarted"})
    /\ IF ticket[n][j].fits
         THEN Change(j, Waits, Tickets(n, j, NoTicket), n) /\ UNCHANGEDLeases
         ELSE /\ ticket' = Tickets(n, j, NoTicket)
              /\ UNCHANGED row /\ UNCHANGEDKnowledge
    /\ UNCHANGED <<kind, node, faults>>

----------------------------------------------------------------------------
(* Attempts: Lane.start, Attempts, Completer. *)

(* Standing.mayStart: no other instance may have given up this one. *)
MayStart(n, j) == node[n] = "well" /\ ~ticket[n][j].lost

Start(n, j) ==
    /\ At(n, j, {"claimed"}) /\ MayStart(n, j) /\ MayUseSlot(n)
    /\ ticket' = [ticket EXCEPT ![n][j].at = "running"]
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

(* Tickets.giveUp: the job waited for a slot for too long, or the number was given up.  The mutex is free at once. *)
GiveBack(n, j) ==
    /\ node[n] # "dead" /\ At(n, j, {"claimed"})
    /\ ~MayStart(n, j) \/ ~MayUseSlot(n)
    /\ ticket' = [ticket EXCEPT ![n][j].at = "unstarted"]
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

(* Tickets.finished: what the attempt held is free here before the end is written. *)
End(n, j) ==
    /\ node[n] # "dead" /\ At(n, j, {"running"})
    /\ ticket' = [ticket EXCEPT ![n][j].at = "over"]
    /\ UNCHANGED <<kind, row, node, faults>> /\ UNCHANGEDKnowledge

(* JobTransitions.complete: the last end.  Or fault: a failure, and the job comes again. *)
Complete(n, j) ==
    /\ node[n] # "dead" /\ At(n, j, {"over"})
    /\ IF ticket[n][j].fits
         THEN /\ \/ Change(j, Ended, Tickets(n, j, NoTicket), n) /\ UNCHANGED faults
                 \/ Change(j, Waits, Tickets(n, j, NoTicket), n) /\ Fault
              /\ UNCHANGEDLeases
         ELSE /\ ticket' = Tickets(n, j, NoTicket)
              /\ UNCHANGED <<row, faults>> /\ UNCHANGEDKnowledge
    /\ UNCHANGED <<kind, node>>

(* Fault: Attempt.writeOff, or an answer from outside.  The attempt goes on without its row, and keeps what it holds. *)
WriteOff(n, j) ==
    /\ node[n] # "dead" /\ At(n, j, {"running"}) /\ ticket[n][j].fits
    /\ Fault
    /\ Change(j, Waits, [ticket EXCEPT ![n][j].fits = FALSE], n)
    /\ UNCHANGED <<kind, node>> /\ UNCHANGEDLeases

----------------------------------------------------------------------------
(* Silence and rescue: Membership, Rescuer. *)

OneIsLeftWithout(n) == \E m \in Nodes \ {n} : node[m] # "dead"

(* Fault: kill -9.  Claims that are on their way may still be applied. *)
Crash(n) ==
    /\ node[n] # "dead" /\ OneIsLeftWithout(n)
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "dead"]
    /\ search' = [search EXCEPT ![n] = NoSearch]
    /\ ticket' = [ticket EXCEPT ![n] = [j \in Jobs |->
            IF @[j].at \in {"sent", "unsure"} /\ @[j].fits /\ row[j] = Waits
              THEN [NoTicket EXCEPT !.at = "stray", !.fits = TRUE, !.lost = ticket[n][j].lost] ELSE NoTicket]]
    /\ UNCHANGED <<kind, row, leader, known, blocks>>

(* Fault: the node pauses, or is cut off, for longer than liveness. *)
FallSilent(n) ==
    /\ node[n] = "well"
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "silent"]
    /\ UNCHANGED <<kind, row, ticket>> /\ UNCHANGEDKnowledge

(* The node works again.  If it was given up, it has a new number. *)
Wake(n) ==
    /\ node[n] = "silent"
    /\ node' = [node EXCEPT ![n] = "well"]
    /\ UNCHANGED <<kind, row, ticket, faults>> /\ UNCHANGEDKnowledge

(* Membership.observe: the number of the node leaves the register. *)
GiveUp(n) ==
    /\ node[n] # "well" /\ \E m \in Nodes : node[m] = "well"
    /\ \E j \in Jobs : row[j] = n \/ (ticket[n][j] # NoTicket /\ ~ticket[n][j].lost)
    /\ row' = [j \in Jobs |-> IF row[j] = n THEN Forgotten ELSE row[j]]
    /\ ticket' = [ticket EXCEPT ![n] = [j \in Jobs |->
            IF @[j] = NoTicket THEN NoTicket ELSE [@[j] EXCEPT !.lost = TRUE]]]
    /\ UNCHANGED <<kind, node, faults>> /\ UNCHANGEDKnowledge

(* Rescuer: by any instance. *)
Rescue(n, j) ==
    /\ node[n] = "well" /\ row[j] = Forgotten
    /\ Change(j, Waits, [ticket EXCEPT ![n][j].fits = FALSE], n)
    /\ UNCHANGED <<kind, node, faults>> /\ UNCHANGEDLeases

----------------------------------------------------------------------------
OfNode(n) ==
    \/ \E h \in Homes : Lead(n, h)
    \/ BeginRead(n) \/ ReadRow(n) \/ EndRead(n) \/ Look(n)
    \/ Wake(n) \/ GiveUp(n)
    \/ \E j \in Jobs :
        \/ Take(n, j) \/ Apply(n, j) \/ Answer(n, j) \/ Release(n, j)
        \/ Start(n, j) \/ GiveBack(n, j) \/ End(n, j) \/ Complete(n, j) \/ Rescue(n, j)

Faulty ==
    \/ \E h \in Homes : LoseLease(h)
    \/ \E n \in Nodes :
        \/ Crash(n) \/ FallSilent(n)
        \/ \E j \in Jobs : NoAnswer(n, j) \/ ApplyLate(n, j) \/ WriteOff(n, j) \/ NoteLease(n, j)

Next ==
    \/ Faulty
    \/ \E h \in Homes : Expire(h)
    \/ \E n \in Nodes : OfNode(n)

(* Leases end, and each instance goes on.  Nothing is demanded of faults. *)
Fairness == WF_vars(\E h \in Homes : Expire(h)) /\ \A n \in Nodes : WF_vars(OfNode(n))

Spec == Init /\ [][Next]_vars /\ Fairness

----------------------------------------------------------------------------
(* Attempts that run although their rows were taken from them do not count.  A row is taken from an attempt only after
   silence, a timeout or an answer from outside: OverlapOnlyAfterSilence of Jobs.tla. *)
LimitIsKept ==
    Cardinality({<<n, j>> \in Nodes \X Jobs : At(n, j, {"running"}) /\ ticket[n][j].fits}) <= Limit

(* So such an attempt is the only reason why a job overlaps another job with the same mutex. *)
OverlapsOnlyWithoutItsRow ==
    kind = "mutex" => \A n, m \in Nodes, j, k \in Jobs :
        (At(n, j, {"running"}) /\ At(m, k, {"running"}) /\ <<n, j>> # <<m, k>>)
            => ~ticket[n][j].fits \/ ~ticket[m][k].fits

(* What an instance held comes back, even if the instance is gone. *)
EveryLimitedJobEnds == <>(\A j \in Jobs : row[j] = Ended)

=============================================================================
