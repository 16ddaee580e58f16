# The site
site-name = Convoy
site-title = Convoy: Cờ Tư Lệnh and Tractor in the browser
site-description = Play Cờ Tư Lệnh (Commander Chess) against bots or friends, without an account. Analysis, replay, rules.
skip = Skip to the content
nav-label = Main
nav-play = Play
nav-analysis = Analysis
nav-editor = Editor
nav-rules = Rules
nav-archive = Games
language = Language
settings = Settings
footer = Convoy is free software. Boards, pieces and sounds are its own.
needs-script = This page needs JavaScript to play; the picture shows the present position.
go-home = To the home page
close = Close
copy = Copy
copied = Copied
copy-link = Copy the link
load = Load
comma = { ", " }
you = you

# Home
home-title = Command land, sea and air
home-lead = Cờ Tư Lệnh is the Vietnamese chess of combined arms: pieces carry each other, land together, and strike from afar.
play-now = Play now
play-cards = Play Tractor
rules-games = Choose the game
play-bot = Play the bot
learn-rules = Learn the rules
start-alt = The start position on the board: sea on the left, a river across the middle, 19 pieces a side
new-game = New game
opponent = Opponent
opponent-bot = Computer
opponent-friend = A friend, by link
opponent-open = Anyone
level = Level
level-n = Level { $level }
color = Your side
color-random = Random
minutes = Minutes a side
increment = Seconds added a turn
no-clock = no clock
from-fen = Start from a position (FEN)
start-game = Start
open-challenges = Open challenges
live-games = Games being played
none-open = Nobody is waiting. Be the first: choose “Anyone”.
none-live = No game is being played right now.
game-cotulenh = Cờ Tư Lệnh
game-tractor = Tractor
turn-count = { $count ->
    [one] 1 turn
   *[other] { $count } turns
}
guest = Guest
bots = { $count ->
    [one] one bot
   *[other] { $count } bots
}
what-title = What makes it different
what-terrain = Terrain
what-terrain-text = Ships own two files of sea; a river with two bridges cuts the land in half.
what-stacks = Stacks
what-stacks-text = A ship carries aircraft and tanks, a tank carries infantry: up to three pieces travel as one.
what-deploy = Deploys
what-deploy-text = In one turn a stack can unload in several directions, and capture on the way.
what-air = Air defence
what-air-text = Missiles, guns and ships guard the air; an aircraft that enters can only die fighting.
what-heroic = Heroes
what-heroic-text = A piece that attacks the commander becomes heroic: one square further, in every direction.

# Pieces and the board
piece-c = Commander
piece-i = Infantry
piece-t = Tank
piece-m = Militia
piece-e = Engineer
piece-a = Artillery
piece-g = Anti-air Gun
piece-s = Missile
piece-f = Air Force
piece-n = Navy
piece-h = Headquarters
reach-c = goes any distance along files and ranks, captures one square away
reach-i = goes and captures 1 square along files and ranks
reach-t = goes and captures up to 2 squares along files and ranks
reach-m = goes and captures 1 square in every direction
reach-e = goes and captures 1 square along files and ranks; carries heavy pieces over the river
reach-a = goes and captures up to 3 squares in every direction, shoots over pieces
reach-g = goes and captures 1 square along files and ranks; guards the air around it
reach-s = goes and captures 2 squares straight or 1 diagonally, shoots over pieces; guards the air within 2 squares
reach-f = flies up to 4 squares in every direction over everything; fears air cover
reach-n = sails up to 4 squares in every direction; torpedo 4, guns 3; guards the air around it
reach-h = does not move
reach-heroic = (heroic: one square further, in all eight directions)
color-r = red
color-b = blue
side-r = Red
side-b = Blue
colored-piece = { $color } { $piece }
heroic = heroic
heroic-piece = heroic { $piece }
carrying = carrying { $cargo }
carries = { $carrier } carries: { $cargo }
empty = empty
board-label = Board. Arrow keys move, Enter selects and plays, D shows air cover.

# Marks, choices and drafts
mark-move = can move here
mark-join = can combine here
mark-take = can take
mark-strike = can strike without moving
mark-both = can take or strike
mark-kamikaze = can be destroyed by kamikaze
why-exposed = Not allowed: your commander would face the enemy commander
why-attacked = Not allowed: your commander could be captured
chips-label = Take or strike
chip-take = Take
chip-strike = Strike
take-or-strike = { $square }: Enter takes and moves there, S strikes and stays
tray-label = Parts of the stack that move
tray-hint = Choose a piece. For a stack, choose here which parts move.
deploy = Deploy
deploying = Deploying { $moved } of { $all }:
deploy-stays = { $pieces } on { $square } so far.
deploy-none = all have moved.
deploy-done = { $count ->
    [one] deploy of one step
   *[other] deploy of { $count } steps
}
undo = Undo
cancel = Cancel
done = Done
confirm = Confirm
confirm-turn = Play { $turn }?
undone = Step taken back
cancelled = Deploy cancelled
finish-first = Finish or cancel the deploy first
cannot-commit = The turn cannot end like this: take a step back or go on.
cannot-commit-terrain = What is left on { $square } cannot stand there: move it too, or take a step back.
cannot-commit-danger = Your commander would be in danger: go on, or take a step back.
cover-on = Air cover shown
cover-off = Air cover hidden
typed-label = Move
typed-play = Play
typed-example = Tf6, Fxe7, T>e6
typed-refused = { $move }: { $reason }
typed-unfinished = The turn is not complete
not-your-turn = It is not your turn
offline = No connection: nothing is lost, it will be tried again
say-move = { $piece } to { $square }
say-join = { $piece } joins on { $square }
say-take = { $piece } takes on { $square }
say-strike = { $piece } strikes { $square } and stays
say-kamikaze = { $piece } dies destroying { $square }

# The game page
your-turn = Your turn.
turn-of = { $side } to move.
check = Check!
sending = Sending…
reconnecting = Reconnecting…
server-restarts = The server restarts; the game goes on in a moment
looking-back = Looking back: the game goes on at the end of the list.
clock-paused = The clocks rest until both players are back.
waiting-friend = Waiting for the other player.
waiting-sit = A seat is free.
invite = Send this link: whoever opens it can take the free seat.
sit = Sit down
seat-open = free seat
bot-level = Computer, level { $level }
online = online
away = away
captured = Captured: { $pieces }
clock-of = Clock of { $side }
watchers = { $count ->
    [one] One spectator.
   *[other] { $count } spectators.
}
wins = { $side } wins:
drawn = Draw:
no-result = No result:
outcome-checkmate = checkmate.
outcome-stalemate = stalemate.
outcome-commander = the commander was captured.
outcome-fifty = fifty moves without a capture.
outcome-threefold = the same position three times.
outcome-marine = both ships are sunk.
outcome-air = both aircraft are lost.
outcome-land = all land forces are lost.
outcome-resign = by resignation.
outcome-agreed = by agreement.
outcome-time = on time.
outcome-abandoned = the opponent left.
outcome-aborted = the game was called off.
act-resign = Resign
act-resign-sure = Really resign?
act-draw = Offer a draw
act-takeback = Ask to take back
act-abort = Call off
act-claim = Claim the win
act-rematch = Rematch
act-decline = Decline
act-sit = Sit down
accept = Accept
offer-draw = Your opponent offers a draw.
offer-takeback = Your opponent asks to take back a turn.
offer-rematch = Your opponent wants a rematch.
offer-made = Your offer waits for an answer.
turns-label = Turns
no-turns = No moves yet.
walk-first = To the start
walk-back = One turn back
walk-step-back = One step back
walk-step = One step on
walk-on = One turn on
walk-last = To the end
flip = Turn the board
air-cover = Air cover
picture = Picture

# Settings
set-theme = Colours
theme-auto = as the system
theme-light = light
theme-dark = dark
theme-contrast = high contrast
set-pieces = Pieces
pieces-art = pictures
pieces-letters = letters
pieces-vi = Vietnamese initials
set-animation = Animate moves
set-confirm = Ask before a turn is sent
set-sound = Sounds
set-coords = Coordinates

# Analysis and editor
evaluation = Evaluation for Red
engine = Engine
engine-start = Start the engine
engine-stop = Stop the engine
engine-depth = Depth { $depth }, { $nodes } positions
edit-position = Edit the position
play-here = Play from here
loaded-turns = { $count ->
    [one] One turn loaded
   *[other] { $count } turns loaded
}
editor-erase = Erase
editor-heroic = Heroic
editor-hint = Click a square to add the piece, again to take it off. Pieces of one colour on a square make a stack.
editor-side = To move
editor-start = Start position
editor-clear = Empty board
editor-good = A lawful position.

# Accounts and archive
account = Account
account-why = You can play without an account. With one, your games stay yours on every device.
login = Log in
register = Register
logout = Log out
name = Name
password = Password
recent-games = Recent games
all-games = All games
games-of = Games of { $name }
col-game = Game
col-result = Result
col-clock = Clock
col-turns = Turns
col-more = More
no-games = No games yet.
still-playing = being played
newer = newer
older = older

# Errors
error-400 = That request makes no sense here.
error-403 = You may not do that.
error-404 = There is nothing here.
error-429 = Too many requests; wait a little.
error-500 = Something broke; nothing was lost.
refusal-bad-name = A name has 3 to 20 letters, digits, - or _.
refusal-name-taken = The name is taken.
refusal-bad-password = A password has 8 to 200 characters.
refusal-wrong-password = Name and password do not belong together.
refusal-too-fast = Too many attempts; wait a little.
refusal-illegal = The rules do not allow that turn.
refusal-stale = The game has moved on; look again.
refusal-not-your-turn = It is not your turn.

# The rules page
rules-title = How to play Cờ Tư Lệnh
rules-lead = Two armies of 19 pieces, red and blue, fight on the lines of a board of 11 by 12. Red moves first. Whoever captures the enemy commander, or mates it, wins. Every board below is marked by the same rules that referee the games.
rules-contents = Lessons
lesson-board = { $lesson }: an example on the board
lesson-try = Try it here
lesson-again = From the beginning
lesson-terrain = The board
lesson-terrain-text = Files a and b are sea, where only ships stand. File c is the coast, and with the river mouth at d6, e6, d7 and e7 it is open to everyone. The rest is land. The river runs between ranks 6 and 7; the two bridges are on files f and h.
lesson-c = Commander
lesson-c-text = The commander goes as far as it likes along files and ranks, but captures only on the next square. Lose it and the game is over.
lesson-i = Infantry
lesson-i-text = Infantry goes and captures one square forward, back or sideways. It rides on tanks, aircraft and ships.
lesson-t = Tank
lesson-t-text = A tank goes and captures up to two squares along files and ranks; the first piece in its way stops it. It carries one light passenger.
lesson-m = Militia
lesson-m-text = The militia goes and captures one square in all eight directions.
lesson-e = Engineer
lesson-e-text = The engineer goes one square like infantry. It carries one heavy piece, artillery, anti-air gun or missile, and so takes it over the river anywhere.
lesson-a = Artillery
lesson-a-text = Artillery goes up to three squares in all directions. Nothing may stand in its way when it moves, but it captures over any piece.
lesson-g = Anti-air gun
lesson-g-text = The anti-air gun goes one square along files and ranks. Enemy aircraft may not land beside it.
lesson-s = Missile
lesson-s-text = The missile goes two squares straight or one diagonally and captures over pieces. It guards the air two squares around.
lesson-f = Air force
lesson-f-text = An aircraft flies up to four squares in all directions over everything, and lands on land. It carries a tank and a light passenger. Fly around air cover: see below.
lesson-n = Navy
lesson-n-text = A ship sails up to four squares on sea, coast and river mouth. Its torpedoes reach ships four squares away, its guns everything else at three; at a target on land it fires without moving. It guards the air next to it, and carries an aircraft and one more piece.
lesson-h = Headquarters
lesson-h-text = Headquarters stay where they are; the commander may step inside. Only a heroic one moves, one square in any direction.
lesson-river = Heavy pieces and the river
lesson-river-text = Artillery, anti-air guns and missiles cross the river only along files f and h, over the bridges, or on an engineer. They may capture across it everywhere.
lesson-ships = Where ships sail
lesson-ships-text = Ships keep to the water: sea, coast and the four squares of the river mouth. The diagonals c5–d6 and c8–d7 are closed to them.
lesson-stack = Stacks
lesson-stack-text = Pieces of one side can travel as one. The carrier, drawn large, decides how far the stack goes; its passengers are the small counters. Ships carry an aircraft and a tank or a person; aircraft carry a tank and a person; tanks carry a person; engineers carry a heavy piece; headquarters shelter the commander.
lesson-combine = Combining
lesson-combine-text = Move a piece onto a friend that can carry it, or that it can carry: that is your turn, and from now on they are one stack.
lesson-deploy = Deploying
lesson-deploy-text = Instead of moving as a whole, a stack may unload: its pieces leave one after another within a single turn, in any order, and may capture on the way. Here the aircraft has gone first, then the tank; the infantry may follow or stay. What is left behind must be able to stand where it is.
lesson-stay = Striking from where you stand
lesson-stay-text = A piece that cannot stand on the target's square captures without moving: land pieces sink ships at sea, ships shell the land.
lesson-strike = Take or strike
lesson-strike-text = An aircraft may choose: take the target and land there, or strike it and return to where it started.
lesson-air = Air defence and kamikaze
lesson-air-text = Anti-air guns, missiles and ships cover the hatched squares. An aircraft cannot land or pass there; inside the first zone it meets it can only destroy a target and be lost with it. Heroic aircraft fear nothing. Press D on any board to see the air cover.
lesson-heroic = Heroes
lesson-heroic-text = A piece that attacks the enemy commander becomes heroic, and so does the last piece that stands beside its commander. It goes and captures one square further, in all eight directions, for the rest of the game.
lesson-exposed = Commanders must not face each other
lesson-exposed-text = The two commanders may never see each other along an open file or rank. The line of the enemy commander is a wall for yours, and the last piece between them may not leave.
lesson-mate = Check, mate and draws
lesson-mate-text = An attacked commander must be saved at once; if nothing saves it, it is mate, as red is here. Without an attack and without a legal turn the game is drawn, as it is after fifty moves of each side without a capture, or when a position occurs for the third time.
