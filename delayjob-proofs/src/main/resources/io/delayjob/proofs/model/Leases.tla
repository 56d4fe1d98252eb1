------------------------------- MODULE Leases -------------------------------
(***************************************************************************)
(* Which instance leads a partition: io.delayjob.internal.lead.LeaseKeeper *)
(* over a lock row of ShedLock, with time.                                 *)
(*                                                                         *)
(* Only speed depends on a lease, and Jobs.tla does without it.  But two   *)
(* leaders would read every row twice.  So this shows that there is one    *)
(* leader at a time, whatever is late: instances may rest between any two  *)
(* steps.  The answer to a call may take any time, get lost, or belong to  *)
(* a statement that is applied only after the caller gave up.              *)
(*                                                                         *)
(* A tick is a fifth of a lease.  Ages count the ticks that began since,   *)
(* so a lock that is five ticks old may or may not have expired.  Here it  *)
(* can be taken, and it can still be extended.                             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Nodes,
    MaxSlow,  \* maximum number of slow calls at a time; all others are answered at once
    MaxLost,  \* maximum number of statements at a time that are under way without a caller
    Mutant    \* the rule of the protocol that is broken; "none" in the product

Duration == 5
TrustedFor == IF Mutant = "a lease is trusted for as long as it lasts" THEN 5 ELSE 4  \* LeaseKeeper.held: 4/5

Nobody == <<>>
NotLeading == Duration + 1

VARIABLES
    lock,      \* the row of table shedlock: locked_by, and the age of lock_until's statement
    trust,     \* by node: age of the request that its lease rests on
    call,      \* by node: the slow call that is under way
    lost,      \* statements whose caller gave up waiting
    unlocked   \* history: a lost release was applied

vars == <<lock, trust, call, lost, unlocked>>

Broken(rule) == Mutant = rule

NoCall == [what |-> "none", age |-> 0, answer |-> "none"]

Older(age) == IF age < NotLeading THEN age + 1 ELSE age

Init ==
    /\ lock = [by |-> Nobody, age |-> NotLeading]
    /\ trust = [n \in Nodes |-> NotLeading]
    /\ call = [n \in Nodes |-> NoCall]
    /\ lost = {}
    /\ unlocked = FALSE

(* LeaseKeeper.led *)
Leads(n) == trust[n] <= TrustedFor

----------------------------------------------------------------------------
(* ShedLock's statements; lockedBy is the incarnation.  A host's name would be the same for all its processes. *)

IsMine(n) == lock.by = n \/ (Broken("host name as lease owner") /\ lock.by # Nobody)

(* UPDATE ... SET lock_until, locked_by WHERE name = ? AND lock_until <= now *)
CanLock == lock.age >= Duration

(* UPDATE ... SET lock_until WHERE name = ? AND locked_by = ? AND lock_until > now *)
CanExtend(n) == IsMine(n) /\ lock.age <= Duration

Grants(n, what) == IF what = "acquire" THEN CanLock ELSE CanExtend(n)

Execute(n, what) ==
    lock' = CASE what = "acquire" /\ CanLock -> [by |-> n, age |-> 0]
              [] what = "extend" /\ CanExtend(n) -> [lock EXCEPT !.age = 0]
              [] what = "release" /\ IsMine(n) -> [lock EXCEPT !.age = NotLeading]
              [] OTHER -> lock

(* LeaseKeeper.takeFree asks for partitions that it does not lead, LeaseKeeper.renew for those that it leads. *)
Asks(n, what) == call[n] = NoCall /\ (what = "acquire" <=> ~Leads(n))

(* Trust counts from before the request: age is that of the request. *)
Take(n, granted, age) ==
    trust' = [trust EXCEPT ![n] =
        IF ~granted THEN NotLeading ELSE IF Broken("a lease is trusted from its answer on") THEN 0 ELSE age]

----------------------------------------------------------------------------
(* Sent, applied and answered at once. *)
Ask(n, what) ==
    /\ Asks(n, what)
    /\ Execute(n, what)
    /\ Take(n, Grants(n, what), 0)
    /\ UNCHANGED <<call, lost, unlocked>>

Send(n, what) ==
    /\ Asks(n, what)
    /\ Cardinality({m \in Nodes : call[m] # NoCall}) < MaxSlow
    /\ call' = [call EXCEPT ![n] = [what |-> what, age |-> 0, answer |-> "none"]]
    /\ UNCHANGED <<lock, trust, lost, unlocked>>

Apply(n) ==
    /\ call[n] # NoCall /\ call[n].answer = "none"
    /\ Execute(n, call[n].what)
    /\ call' = [call EXCEPT ![n].answer = IF Grants(n, call[n].what) THEN "yes" ELSE "no"]
    /\ UNCHANGED <<trust, lost, unlocked>>

Answer(n) ==
    /\ call[n].answer # "none"
    /\ Take(n, call[n].answer = "yes", call[n].age)
    /\ call' = [call EXCEPT ![n] = NoCall]
    /\ UNCHANGED <<lock, lost, unlocked>>

(* An exception says nothing about the lease. *)
GiveUp(n) ==
    /\ call[n] # NoCall
    /\ call[n].answer = "none" => Cardinality(lost) < MaxLost
    /\ lost' = IF call[n].answer = "none" THEN lost \cup {<<call[n].what, n>>} ELSE lost
    /\ call' = [call EXCEPT ![n] = NoCall]
    /\ UNCHANGED <<lock, trust, unlocked>>

(* LeaseKeeper.release: surplus, or stopping.  It stops leading before it sends the release. *)
Release(n) ==
    /\ call[n] = NoCall /\ Leads(n)
    /\ trust' = [trust EXCEPT ![n] = NotLeading]
    /\ Execute(n, "release")
    /\ UNCHANGED <<call, lost, unlocked>>

ReleaseUnanswered(n) ==
    /\ call[n] = NoCall /\ Leads(n)
    /\ Cardinality(lost) < MaxLost
    /\ trust' = [trust EXCEPT ![n] = NotLeading]
    /\ lost' = lost \cup {<<"release", n>>}
    /\ UNCHANGED <<lock, call, unlocked>>

ApplyLost(n, what) ==
    /\ <<what, n>> \in lost
    /\ Execute(n, what)
    /\ lost' = lost \ {<<what, n>>}
    /\ unlocked' = (unlocked \/ (what = "release" /\ lock' # lock))
    /\ UNCHANGED <<trust, call>>

Tick ==
    /\ lock' = [lock EXCEPT !.age = Older(@)]
    /\ trust' = [n \in Nodes |-> Older(trust[n])]
    /\ call' = [n \in Nodes |-> IF call[n] = NoCall THEN NoCall ELSE [call[n] EXCEPT !.age = Older(@)]]
    /\ UNCHANGED <<lost, unlocked>>

Next ==
    \/ \E n \in Nodes :
        \/ \E what \in {"acquire", "extend"} : Ask(n, what) \/ Send(n, what)
        \/ Apply(n) \/ Answer(n) \/ GiveUp(n) \/ Release(n) \/ ReleaseUnanswered(n)
        \/ \E what \in {"acquire", "extend", "release"} : ApplyLost(n, what)
    \/ Tick

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Nodes)

----------------------------------------------------------------------------
(* One instance leads at a time.  There is one exception: a late release, whose caller gave up waiting, frees a lease that
   its sender has taken again meanwhile.  ShedLock knows its holder only by name, so it cannot tell the two apart. *)
OneLeader == unlocked \/ Cardinality({n \in Nodes : Leads(n)}) <= 1

=============================================================================
