# Lessons.

nav-learn = Learn
learn-title = Learn to play
learn-lead = Short lessons in which you do something at every step. Your stars are saved in this browser.
learn-progress = { $done } of { $all }
learn-steps = Steps
learn-hint = Hint
learn-again = Try again
learn-next = Next step
learn-next-chapter = Next chapter
learn-finish = All lessons
learn-go-on = Good. Keep going.
learn-right = Right!
learn-stars =
    { $stars ->
        [1] 1 of 3 stars
        *[other] { $stars } of 3 stars
    }
learn-hand = Your hand:
learn-trick = The trick so far:
learn-player = Player { $number }
learn-do-select = Check
learn-do-play = Play
learn-do-bury = Bury
learn-do-declare = Declare
learn-throw = throw
learn-defenders-rise =
    { $levels ->
        [1] The defenders go up one level
        *[other] The defenders go up { $levels } levels
    }
learn-attackers-rise =
    { $levels ->
        [0] The attackers win and stay on their level
        [1] The attackers win and go up one level
        *[other] The attackers win and go up { $levels } levels
    }

learn-why-nobody = You have no piece there.
learn-why-range = { $pieces } cannot reach { $square }: not in line or too far.
learn-why-terrain = { $pieces } cannot go to { $square }: wrong terrain.
learn-why-no-stack = These pieces cannot form a stack.
learn-why-river = { $pieces } cannot cross the river there.
learn-why-air-defence = Enemy air defence closes the way to { $square }.
learn-why-blocked = A piece blocks the way to { $square }.
learn-why-attacked = Your Commander could be captured then.
learn-why-exposed = The Commanders would face each other then.

learn-miss-reach = Not yet: { $pieces } should be on { $square }.
learn-miss-stack = Not yet: { $square } should hold exactly { $pieces }.
learn-miss-capture = The enemy on { $square } is still there.
learn-miss-by-move = The goal is an ordinary move.
learn-miss-by-capture = The goal is to capture the piece and move to its square.
learn-miss-by-strike = The goal is to strike without moving.
learn-miss-by-kamikaze = The goal is a kamikaze attack.
learn-miss-by-combine = The goal is to combine two pieces.
learn-miss-by-deploy = The goal is a deployment.
learn-miss-heroic = { $pieces } should be heroic on { $square }.
learn-miss-check = That is not check.
learn-miss-mate = Check, but not mate: { $turn } parries it.
learn-miss-no-mate = That is not check.
learn-miss-better = Legal, but there is something much better.
learn-miss-missing = Cards missing: { $cards }.
learn-miss-extra = These cards do not belong here: { $cards }.
learn-miss-shape = Allowed, but this was asked for: { $kind }.
learn-miss-loses = Allowed, but it does not win the trick.
learn-miss-wins = Allowed, but it should not win the trick.
learn-miss-few-points = Allowed, but you can give more points: at least { $points }.
learn-miss-points = That gives away { $points } points.
learn-miss-keep = Too good to bury: { $cards }.
learn-miss-not-void = You still have { $suit }: bury all of them.
learn-miss-choice = Not quite.

learn-round = A coached round
learn-round-lead = You are the starter; you and your partner opposite are the defenders. Bury eight cards, then play the whole round against the computer. Every decision gets a comment.
learn-attackers-points = Attackers: { $points } points
learn-last-trick = The last trick:
learn-seat-0 = You
learn-seat-1 = Next opponent
learn-seat-2 = Partner
learn-seat-3 = Other opponent
learn-coach-bury-safe = Good: no points in the kitty.
learn-coach-bury-points = You have buried { $points } points: the attackers get them doubled or more if they win the last trick.
learn-coach-best = The best play.
learn-coach-good = A good play.
learn-coach-inaccuracy = { $cards } was better, by about { $loss } points on average.
learn-coach-mistake = A mistake: { $cards } was better, by about { $loss } points on average.
